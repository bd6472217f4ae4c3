import { describe, expect, test } from '@jest/globals';
import { type Locale, locales } from '../../../src/i18n/locales.js';
import { en } from '../../../src/i18n/languages/en.js';
import { languageName, wordsOf } from '../../../src/i18n/languages.js';
import { tagOf } from '../../../src/i18n/dates.js';
import type { Plural, TextKey } from '../../../src/i18n/catalogue.js';

const keys = Object.keys(en) as TextKey[];
const others = locales.filter(locale => locale !== 'en');

/** Words that the language writes as English does. */
const sameAsEnglish: Partial<Record<Locale, readonly TextKey[]>> = {
  cs: ['state.unplanned'],
  de: ['footer.feeds', 'support.title'],
  fr: ['distance.minutes', 'state.maintenance', 'state.planned', 'state.unplanned'],
  nl: ['footer.feeds'],
  'pt-BR': ['footer.feeds'],
  ro: ['distance.minutes', 'footer.calendar', 'state.unplanned'],
  sk: ['state.unplanned'],
};

const formsOf = (text: string | Plural): [category: string, form: string][] =>
  typeof text === 'string' ? [['', text]] : Object.entries(text);
const placeholdersOf = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(match => match[1]!))].sort();
const placeholdersInEnglish = (key: TextKey) =>
  [...new Set(formsOf(en[key]).flatMap(([, form]) => placeholdersOf(form)))].sort();
const isPattern = (text: string) => !/\p{Letter}/u.test(text.replace(/\{\w+\}/g, ''));

/** Categories that are one number only, so that a text may say it in a word: the Arabic dual. */
function spokenCategories(locale: Locale): Set<string> {
  const rules = new Intl.PluralRules(tagOf(locale));
  const counts = new Map<string, number>();
  for (let number = 0; number <= 200; number++)
    counts.set(rules.select(number), (counts.get(rules.select(number)) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count === 1).map(([category]) => category));
}

describe.each(locales)('the texts of %s', locale => {
  const words = wordsOf[locale];

  test('have every key and no other', () => {
    expect(keys.filter(key => words[key] === undefined)).toEqual([]);
    expect(Object.keys(words).filter(key => !(key in en))).toEqual([]);
  });

  test('stand in the order of the English ones, so that two files can be read side by side', () => {
    expect(Object.keys(words)).toEqual(keys.filter(key => words[key] !== undefined));
  });

  test('have every plural category of the language where English has a plural, and no other', () => {
    const categories = new Intl.PluralRules(tagOf(locale)).resolvedOptions().pluralCategories.toSorted();
    const offences = keys
      .filter(key => words[key] !== undefined)
      .filter(
        key =>
          typeof en[key] !== typeof words[key] ||
          (typeof en[key] === 'object' && `${Object.keys(words[key]!).toSorted()}` !== `${categories}`),
      );
    expect(offences).toEqual([]);
  });

  test('have the placeholders of the English ones, but that a form for a single number may leave it to a word', () => {
    const spoken = spokenCategories(locale);
    const offences = keys.flatMap(key =>
      formsOf(words[key] ?? en[key]).flatMap(([category, form]) => {
        const here = placeholdersOf(form);
        const wanted = placeholdersInEnglish(key).filter(
          name => here.includes(name) || !(name === 'count' && spoken.has(category)),
        );
        return `${here}` === `${wanted}` ? [] : [`${key} ${category}: ${here} instead of ${wanted}`];
      }),
    );
    expect(offences).toEqual([]);
  });

  test('are not empty, and have no space at an end nor two together', () => {
    const offences = keys.filter(key =>
      formsOf(words[key] ?? en[key]).some(([, form]) => !form.trim() || form !== form.trim() || /\s\s/.test(form)),
    );
    expect(offences).toEqual([]);
  });
});

const scripts: Partial<Record<Locale, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  el: /\p{Script=Greek}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ru: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

describe.each(others)('the texts of %s', locale => {
  const words = keys.flatMap(key =>
    formsOf(wordsOf[locale][key] ?? en[key]).flatMap(([, form]) => (isPattern(form) ? [] : [{ key, form }])),
  );

  test('are not left in English, but for words that the language shares', () => {
    const same = words
      .filter(({ key, form }) => formsOf(en[key]).some(([, english]) => english === form))
      .map(({ key }) => key);
    expect([...new Set(same)].toSorted()).toEqual((sameAsEnglish[locale] ?? []).toSorted());
  });

  test('are written in its script, with no letter of another that only looks alike', () => {
    const script = scripts[locale] ?? /\p{Script=Latin}/u;
    const alike =
      /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u;
    expect(words.filter(({ form }) => !script.test(form.replace(/\{\w+\}/g, '')) || alike.test(form))).toEqual([]);
  });
});

test('a language is called by its own name, with a capital', () => {
  expect((['en', 'de', 'fr', 'ar', 'pt-BR', 'ru'] as const).map(languageName)).toEqual([
    'English',
    'Deutsch',
    'Français',
    'العربية',
    'Português (Brasil)',
    'Русский',
  ]);
});
