import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { normalizeUnicode } from '../../../src/core/text/normalize-unicode.js';

test('normalizes text of any language, and no sequence of more marks than any has', () => {
  expect(normalizeUnicode('E\u0301', 'NFC')).toBe('É');
  expect(normalizeUnicode(`E${'\u0301'.repeat(30)}`, 'NFC')).toBe(`É${'\u0301'.repeat(29)}`);
  expect(normalizeUnicode(`E${'\u0301'.repeat(31)}`, 'NFC')).toBe(`E${'\u0301'.repeat(31)}`);
});

test('nothing else normalizes, since others would have no bound', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'));
  expect(files.filter(path => /\.normalize\((['"]NF|\))/.test(readFileSync(`src/${path}`, 'utf8')))).toEqual([]);
});
