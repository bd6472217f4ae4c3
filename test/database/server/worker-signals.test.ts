import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { useNpm } from '../../support/npm.js';

const { startNpm } = useNpm();
const databaseUrl = process.env.TEST_DATABASE_URL;
const onPostgres = databaseUrl ? test : test.skip;

onPostgres('npm run worker ends with the worker when npm alone gets SIGTERM', async () => {
  const child = await startNpm(['run', 'worker'], 'worker is running', { DATABASE_URL: databaseUrl! });
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  // Nothing is left in the process group, which npm has left last.
  expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH');
});
