import type { TextKey } from '../../i18n/languages/catalogue.js';
import { toIntlLocale } from '../../i18n/dates.js';
import type { Locale } from '../../i18n/locales.js';
import { getTranslator } from '../../i18n/translator.js';

/** The texts of a theme by language: the content of its files in `locales/`. */
export type ThemeTexts = ReadonlyMap<string, unknown>;

/** How the parts of a text are printed: the theme's own text, and the arguments that are inserted. */
export interface Interpolation {
  formatText: (text: string) => string;
  formatArgument: (value: unknown) => string;
}

/**
 * Finds the text at a dotted key: in the language of the page, in that language without its country, in English, or in
 * any other language of the theme; null if there is none. Inserts arguments for `%{name}`. `count` selects the plural
 * form (`one`, `other`).
 */
export function findText(
  texts: ThemeTexts,
  locale: Locale,
  key: string,
  values: Record<string, unknown>,
  { formatText, formatArgument }: Interpolation,
): string | null {
  for (const language of new Set([locale, locale.split('-')[0]!, 'en', ...texts.keys()])) {
    const file = findLocaleFile(texts, language);
    const template = choosePluralForm(
      getByPath(file, key) ?? getByPath(file, swapSeparators(key)),
      locale,
      values.count,
    );
    if (template === null) continue;
    return template.replace(/%\{(\w+)\}|[^%]+|%/g, (part, name?: string) =>
      name !== undefined && Object.hasOwn(values, name) ? formatArgument(values[name]) : formatText(part),
    );
  }
  return null;
}

type StateKey = Extract<TextKey, `state.${string}`>;

/** The states by their names in the variables of a theme, and by other names that themes use. */
const stateTexts = new Map<string, StateKey>([
  ['operational', 'state.operational'],
  ['partially degraded', 'state.partially-degraded'],
  ['degraded', 'state.degraded'],
  ['maintenance', 'state.maintenance'],
  ['under maintenance', 'state.maintenance'],
  ['investigating', 'state.investigating'],
  ['identified', 'state.identified'],
  ['recovering', 'state.recovering'],
  ['resolved', 'state.resolved'],
  ['false alarm', 'state.false_alarm'],
  ['scheduled', 'state.scheduled'],
  ['cancelled', 'state.cancelled'],
  ['underway', 'state.underway'],
  ['complete', 'state.complete'],
  ['closed', 'state.closed'],
]);

/**
 * What visitors see for a key that the theme has no text for: `page.states.false_alarm` is the service's own word for
 * that state in the language of the page, `page.no_updates` is "No updates". A key with spaces is a text already.
 */
export function describeMissingKey(key: string, locale: Locale): string {
  if (/\s/.test(key)) return key;
  const lastStep = key.split('.').findLast(step => step !== '') ?? '';
  const words = lastStep
    .replace(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, letter => ` ${letter.toLowerCase()}`)
    .split(/[\s_-]+/)
    .filter(Boolean)
    .join(' ');
  const { t, capitalize } = getTranslator(locale);
  const stateKey = stateTexts.get(words.toLowerCase());
  return stateKey ? t(stateKey) : capitalize(words);
}

/** Swaps `-` and `_` in the last step of a key: our states have hyphens, existing themes say `partially_degraded`. */
function swapSeparators(key: string): string {
  const last = key.lastIndexOf('.') + 1;
  return key.slice(0, last) + key.slice(last).replace(/[-_]/g, separator => (separator === '-' ? '_' : '-'));
}

function findLocaleFile(texts: ThemeTexts, language: string): unknown {
  const lowerCase = language.toLowerCase();
  for (const [name, content] of texts) if (name.toLowerCase() === lowerCase) return content;
}

function getByPath(texts: unknown, key: string): unknown {
  let node = texts;
  for (const step of key.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined;
    node = (node as Record<string, unknown>)[step];
  }
  return node;
}

function choosePluralForm(found: unknown, locale: Locale, count: unknown): string | null {
  if (typeof found === 'string') return found;
  if (typeof found === 'number') return String(found);
  if (typeof found !== 'object' || found === null || count === undefined) return null;
  const forms = found as Record<string, unknown>;
  const category = new Intl.PluralRules(toIntlLocale(locale)).select(Number(count));
  return choosePluralForm(
    (Number(count) === 0 ? forms.zero : undefined) ?? forms[category] ?? forms.other,
    locale,
    undefined,
  );
}
