import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('spectral finds nothing in openapi.json, no warning either', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spectral-'));
  const rules = join(folder, 'rules.json');
  await writeFile(rules, '{ "extends": ["spectral:oas"] }');
  const command = resolve('test/clients/node_modules/@stoplight/spectral-cli/dist/index.js');
  const parameters = [command, 'lint', 'openapi.json', '--ruleset', rules, '--fail-severity', 'hint', '--quiet'];
  const { stdout } = await promisify(execFile)(process.execPath, parameters).catch(error => error);
  await rm(folder, { recursive: true });
  expect(stdout.trim()).toBe('');
});
