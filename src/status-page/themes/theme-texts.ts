import type { Locale } from '../../i18n/locales.js';
import { toIntlLocale } from '../../i18n/dates.js';

/** The texts of a theme by language: the content of its files in `locales/`. */
export type ThemeTexts = ReadonlyMap<string, unknown>;

/** How the parts of a text are printed: the theme's own text, and the arguments that are inserted. */
export interface Interpolation {
  formatText: (text: string) => string;
  formatArgument: (value: unknown) => string;
}

/**
 * Finds the text at a dotted key: in the language of the page, in that language without its country, or in English;
 * null if there is none. Inserts arguments for `%{name}`. `count` selects the plural form (`one`, `other`).
 */
export function findText(
  texts: ThemeTexts,
  locale: Locale,
  key: string,
  values: Record<string, unknown>,
  { formatText, formatArgument }: Interpolation,
): string | null {
  for (const language of new Set([locale, locale.split('-')[0]!, 'en'])) {
    const file = findLocaleFile(texts, language);
    const found = choosePluralForm(getByPath(file, key) ?? getByPath(file, swapSeparators(key)), locale, values.count);
    if (found === null) continue;
    return found.replace(/%\{(\w+)\}|[^%]+|%/g, (part, name?: string) =>
      name !== undefined && Object.hasOwn(values, name) ? formatArgument(values[name]) : formatText(part),
    );
  }
  return null;
}

/** Swaps `-` and `_` in the last step of a key: our states have hyphens, existing themes say `partially_degraded`. */
function swapSeparators(key: string): string {
  const last = key.lastIndexOf('.') + 1;
  return key.slice(0, last) + key.slice(last).replace(/[-_]/g, separator => (separator === '-' ? '_' : '-'));
}

function findLocaleFile(texts: ThemeTexts, language: string): unknown {
  const wanted = language.toLowerCase();
  for (const [name, content] of texts) if (name.toLowerCase() === wanted) return content;
}

function getByPath(texts: unknown, key: string): unknown {
  let found = texts;
  for (const step of key.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
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
