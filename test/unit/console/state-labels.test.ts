import { expect, test } from '@jest/globals';
import { catalogue } from '../../../src/i18n/languages/en.js';
import { noticeStyles, stateStyles } from '../../../src/pages/branding/state-styles.js';
import { readFileSync } from 'node:fs';

const source = readFileSync('console/src/ui/state-label.tsx', 'utf8');
const [, table] = /publicWords[^{]*\{(.*?)\};/s.exec(source)!;
const words = Object.fromEntries([...table!.matchAll(/(\w+): '([^']+)'/g)].map(([, state, word]) => [state, word]));

test('the console has the words of the public page for each state', () => {
  const names = [...Object.keys(noticeStyles), ...Object.keys(stateStyles)];
  const expected = names.map(name => [
    name === 'partially-degraded' ? 'PARTLY_AFFECTED' : name.toUpperCase().replaceAll('-', '_'),
    catalogue[`state.${name}` as keyof typeof catalogue],
  ]);
  expect(words).toEqual(Object.fromEntries(expected));
});

test('the console has a word for each status of a component that GraphQL can return', () => {
  const [, values] = /\nenum ComponentStatus \{(.*?)\n\}/s.exec(readFileSync('schema.graphql', 'utf8'))!;
  const statuses = values!.match(/^ {2}[A-Z_]+$/gm)!.map(value => value.trim());
  expect(statuses.length).toBeGreaterThan(5);
  expect(statuses.filter(status => !words[status])).toEqual([]);
});
