import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const root = new URL('../../../', import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

test.each(['frontend', 'rest-client'])('examples/%s depends on the versions that are installed here', name => {
  const installed = [readJson('package.json'), readJson('test/clients/package.json')];
  const { dependencies, devDependencies } = readJson(`examples/${name}/package.json`);
  const wanted = { ...dependencies, ...devDependencies };
  expect(Object.keys(wanted).length).toBeGreaterThan(2);
  const versions = installed.flatMap(one => Object.entries<string>({ ...one.dependencies, ...one.devDependencies }));
  expect(Object.fromEntries(versions)).toMatchObject(wanted);
});
