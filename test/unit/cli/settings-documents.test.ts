import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  renderConfigurationPage,
  renderEnvExample,
  settingSubjects,
} from '../../../src/cli/generators/settings-documents.js';
import { settingsTable } from '../../../src/core/settings-table.js';

test('.env.example matches the table of settings', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(renderEnvExample());
});

test('docs/configuration.md matches the table of settings', () => {
  expect(readFileSync('docs/configuration.md', 'utf8')).toBe(renderConfigurationPage());
});

test('every setting has one subject', () => {
  const variables = Object.values(settingsTable).map(({ variable }) => variable);
  expect(Object.values(settingSubjects).flat().toSorted()).toEqual(variables.toSorted());
});
