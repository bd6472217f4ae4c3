import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { expect, test } from '@jest/globals';

const folder = '.github/workflows';
const list = (text: string) => (validateWorkflow(text) as { errors: object[] }).errors;

test.each(readdirSync(folder))('%s is a workflow by the schema of GitHub', name => {
  expect(list(readFileSync(join(folder, name), 'utf8'))).toEqual([]);
});

test('a step without an action and a command is refused', () => {
  const text = readFileSync(join(folder, 'ci.yml'), 'utf8');
  expect(list(text.replace('- run:', '- runs:'))).not.toEqual([]);
});
