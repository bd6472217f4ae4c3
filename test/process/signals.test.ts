import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { sendToOwner } from '../../src/db/data-directory-lock.js';
import { useNpm } from '../support/npm.js';

describe('npm start', () => {
  const { dataDir, startNpm } = useNpm();
  const isRunning = async () => (await sendToOwner(dataDir, '{"args":["token","list"],"directory":"/"}')) !== undefined;
  const start = () => startNpm(['start'], 'All Clear listens');

  test('ends with the service when npm alone gets SIGTERM', async () => {
    const child = await start();
    expect(await isRunning()).toBe(true);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect([code, await isRunning()]).toEqual([0, false]);
  });

  test('stops in order when the terminal and npm both pass on SIGINT', async () => {
    const child = await start();
    process.kill(-child.pid!, 'SIGINT');
    const [code] = await once(child, 'exit');
    expect([code, await isRunning()]).toEqual([0, false]);
  });
});
