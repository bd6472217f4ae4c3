import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { locales } from '../../../src/i18n/locales.js';

test('locales are canonical language tags that Intl can format dates in', () => {
  expect(Intl.getCanonicalLocales([...locales])).toEqual([...locales]);
  expect(Intl.DateTimeFormat.supportedLocalesOf([...locales])).toEqual([...locales]);
});

test('every file of texts is a locale', () => {
  const files = readdirSync('src/i18n/languages')
    .filter(file => file !== 'catalogue.ts')
    .map(file => file.replace(/\.ts$/, ''));
  expect(files.toSorted()).toEqual(locales.toSorted());
});

test('no language that a page can have is taken away', () => {
  const promised = 'bg cs da de el en en-US es et fi fr hu lt nb nl pl pt pt-BR ro ru sk sv ar ja zh'.split(' ');
  expect(locales).toEqual(expect.arrayContaining(promised));
});
