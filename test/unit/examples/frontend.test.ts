import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../../../examples/frontend/', import.meta.url);
const readJson = (url: URL) => JSON.parse(readFileSync(url, 'utf8'));

test('the example depends on the versions that are installed here', () => {
  const root = readJson(new URL('../../package.json', folder));
  const { dependencies, devDependencies } = readJson(new URL('package.json', folder));
  const wanted = { ...dependencies, ...devDependencies };
  expect(Object.keys(wanted).length).toBeGreaterThan(3);
  expect({ ...root.dependencies, ...root.devDependencies }).toMatchObject(wanted);
});
