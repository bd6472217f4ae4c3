import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const threatModel = /## Threat model\n[\s\S]*?(?=\n## )/.exec(readFileSync('SECURITY.md', 'utf8'))![0];
const threats = threatModel
  .split('\n#### ')
  .slice(1)
  .map(text => text.split('\n### ')[0]!.trim());

test('each threat of the model has a defence, and names its test, which exists', () => {
  expect(threats.length).toBeGreaterThan(60);
  const problems = threats.flatMap(text => {
    const [threat, defence, tests = '', ...rest] = text.split('\n\n');
    if (!defence || !tests.startsWith('Test: ') || rest.length) return [`${threat}: no defence or no test`];
    const names = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replaceAll('\n', ' '));
    if (!names.some(name => name.startsWith('test/'))) return [`${threat}: no test`];
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
