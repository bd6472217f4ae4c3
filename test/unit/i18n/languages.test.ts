import { describe, expect, test } from '@jest/globals';
import { type Locale, locales } from '../../../src/i18n/locales.js';
import { catalogue as en } from '../../../src/i18n/languages/en.js';
import { getLanguageName, catalogues } from '../../../src/i18n/languages.js';
import { toIntlLocale } from '../../../src/i18n/dates.js';
import type { PluralForms, TextKey } from '../../../src/i18n/languages/catalogue.js';

const keys = Object.keys(en) as TextKey[];
const others = locales.filter(locale => locale !== 'en' && locale !== 'en-US');

/** Texts that are spelled the same in English. */
const sameAsEnglish: Partial<Record<Locale, readonly TextKey[]>> = {
  cs: ['state.unplanned'],
  de: ['footer.feeds', 'support.title'],
  fr: ['distance.minutes', 'kinds.unplanned', 'state.maintenance', 'state.planned', 'state.unplanned'],
  nl: ['footer.feeds', 'metrics.week'],
  'pt-BR': ['footer.feeds'],
  ro: ['distance.minutes', 'footer.calendar', 'state.unplanned'],
  sk: ['state.unplanned'],
};

const formsOf = (text: string | PluralForms): [category: string, form: string][] =>
  typeof text === 'string' ? [['', text]] : Object.entries(text);
const placeholdersOf = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(match => match[1]!))].sort();
const placeholdersInEnglish = (key: TextKey) =>
  [...new Set(formsOf(en[key]).flatMap(([, form]) => placeholdersOf(form)))].sort();
const isPattern = (text: string) => !/\p{Letter}/u.test(text.replace(/\{\w+\}/g, ''));

/** Categories that hold a single number, so that a text may spell it out: the Arabic dual. */
function singleNumberCategories(locale: Locale): Set<string> {
  const rules = new Intl.PluralRules(toIntlLocale(locale));
  const counts = new Map<string, number>();
  for (let number = 0; number <= 200; number++)
    counts.set(rules.select(number), (counts.get(rules.select(number)) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count === 1).map(([category]) => category));
}

describe.each(locales)('the catalogue of %s', locale => {
  const catalogue = catalogues[locale];

  test('has every key and no other', () => {
    expect(keys.filter(key => catalogue[key] === undefined)).toEqual([]);
    expect(Object.keys(catalogue).filter(key => !(key in en))).toEqual([]);
  });

  test('has the order of the English catalogue, so that two files can be compared side by side', () => {
    expect(Object.keys(catalogue)).toEqual(keys.filter(key => catalogue[key] !== undefined));
  });

  test('has exactly the plural categories of the language where English has a plural', () => {
    const categories = new Intl.PluralRules(toIntlLocale(locale)).resolvedOptions().pluralCategories.toSorted();
    const offences = keys
      .filter(key => catalogue[key] !== undefined)
      .filter(
        key =>
          typeof en[key] !== typeof catalogue[key] ||
          (typeof en[key] === 'object' && `${Object.keys(catalogue[key]!).toSorted()}` !== `${categories}`),
      );
    expect(offences).toEqual([]);
  });

  test('has the placeholders of English, except {count} in a form that spells out its number', () => {
    const singleNumber = singleNumberCategories(locale);
    const offences = keys.flatMap(key =>
      formsOf(catalogue[key] ?? en[key]).flatMap(([category, form]) => {
        const here = placeholdersOf(form);
        const expected = placeholdersInEnglish(key).filter(
          name => here.includes(name) || !(name === 'count' && singleNumber.has(category)),
        );
        return `${here}` === `${expected}` ? [] : [`${key} ${category}: ${here} instead of ${expected}`];
      }),
    );
    expect(offences).toEqual([]);
  });

  test('has no empty text, no outer spaces and no double spaces', () => {
    const offences = keys.filter(key =>
      formsOf(catalogue[key] ?? en[key]).some(([, form]) => !form.trim() || form !== form.trim() || /\s\s/.test(form)),
    );
    expect(offences).toEqual([]);
  });
});

/** Scripts that `Intl` names by the scripts they are made of. */
const mixedScripts: Record<string, RegExp> = {
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Jpan: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  Kore: /[\p{Script=Hangul}\p{Script=Han}]/u,
};

function scriptOf(locale: Locale): RegExp {
  const script = new Intl.Locale(locale).maximize().script!;
  return mixedScripts[script] ?? new RegExp(`\\p{Script=${script}}`, 'u');
}

describe.each(others)('the catalogue of %s', locale => {
  const forms = keys.flatMap(key =>
    formsOf(catalogues[locale][key] ?? en[key]).flatMap(([, form]) => (isPattern(form) ? [] : [{ key, form }])),
  );

  test('is translated, except texts that are spelled the same in English', () => {
    const same = forms
      .filter(({ key, form }) => formsOf(en[key]).some(([, english]) => english === form))
      .map(({ key }) => key);
    expect([...new Set(same)].toSorted()).toEqual((sameAsEnglish[locale] ?? []).toSorted());
  });

  test('is written in its script, without look-alike letters of another script', () => {
    const script = scriptOf(locale);
    const lookAlikes =
      /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u;
    expect(forms.filter(({ form }) => !script.test(form.replace(/\{\w+\}/g, '')) || lookAlikes.test(form))).toEqual([]);
  });
});

test('getLanguageName returns the name of a language in that language, capitalized', () => {
  expect((['en', 'de', 'fr', 'ar', 'pt-BR', 'ru'] as const).map(getLanguageName)).toEqual([
    'English',
    'Deutsch',
    'Français',
    'العربية',
    'Português (Brasil)',
    'Русский',
  ]);
});
