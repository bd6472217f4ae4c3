import { expect, test } from '@jest/globals';
import { locales } from '../../../src/i18n/locales.js';

test('locales lists 25 canonical language tags that Intl can format dates in', () => {
  expect(locales).toHaveLength(25);
  expect(Intl.getCanonicalLocales([...locales])).toEqual([...locales]);
  expect(Intl.DateTimeFormat.supportedLocalesOf([...locales])).toEqual([...locales]);
  for (const locale of 'bg cs da de el en en-US es et fi fr hu lt nb nl pl pt pt-BR ro ru sk sv ar ja zh'.split(' '))
    expect(locales).toContain(locale);
});
