import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

interface Config {
  leftOut: Record<string, string>;
  embeddedSubset: string[];
}
const path = '../../jest.config.js';
const { leftOut, embeddedSubset } = (await import(path)) as Config;

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => ({ name: file.slice(0, -'.test.ts'.length), text: readFileSync(join('test', file), 'utf8') }));

test('every file that npm test leaves out exists', () => {
  const names = files.map(({ name }) => name);
  expect(Object.keys(leftOut).filter(name => !names.includes(name))).toEqual([]);
});

/** Folders that tests reach by the API alone, and a file that does. */
const byApi: Record<string, string> = { 'multi-page': 'database/graphql/publish-on-pages' };

test('npm test runs a file about each folder of src', () => {
  const run = files.filter(({ name }) => !(name in leftOut));
  const isAbout = (folder: string, { name, text }: (typeof files)[number]) =>
    name === byApi[folder] || text.includes(`/src/${folder}/`) || new RegExp(`(^|[/-])${folder}($|[/-])`).test(name);
  const folders = readdirSync('src', { withFileTypes: true }).filter(entry => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter(name => !run.some(file => isAbout(name, file)))).toEqual([]);
});

test('every entry of the subset for the embedded database names a file', () => {
  const expand = (pattern: string) => {
    const [, before = pattern, names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
    return names.split(',').map(name => `database/${before}${name}${after}`);
  };
  const exists = (entry: string) =>
    files.some(({ name }) => (entry.endsWith('/*') ? name.startsWith(entry.slice(0, -1)) : name === entry));
  expect(embeddedSubset.flatMap(expand).filter(entry => !exists(entry))).toEqual([]);
});

test('what a test makes due lies in the past: columns round to milliseconds, so that now can be in the future', () => {
  const isDueNow = /\b(due|publish|check|poll|expires)_at = (now|clock_timestamp)\(\)(?! [-+] )/;
  expect(files.filter(({ text }) => isDueNow.test(text)).map(({ name }) => name)).toEqual([]);
});
