import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const threatModel = /## Threat model\n[\s\S]*?(?=\n## )/.exec(readFileSync('SECURITY.md', 'utf8'))![0];
const rows = threatModel
  .split('\n')
  .filter(line => line.startsWith('| '))
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')));

test('each row of the threat model names its test, which exists', () => {
  const [[, , title], ...threats] = rows as [string[], ...string[][]];
  expect([title, threats.length > 30]).toEqual(['test that holds it', true]);
  const problems = threats.flatMap(([threat, , tests = '']) => {
    const names = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const paths = names.filter(name => name.startsWith('test/'));
    if (!paths.length) return [`${threat}: no test`];
    return names.filter(name => !isTest(name)).map(name => `${threat}: ${name} does not exist`);
  });
  expect(problems).toEqual([]);
});

/** A test, a folder of tests, or a measurement. */
function isTest(name: string): boolean {
  if (name.endsWith('/')) return existsSync(name) && readdirSync(name).some(file => file.endsWith('.test.ts'));
  const [, measurement] = /^npm run bench -- (\S+)$/.exec(name) ?? [];
  return measurement ? existsSync(`bench/${measurement}`) || existsSync(`bench/${measurement}.ts`) : existsSync(name);
}
