import type { Locale } from '../../i18n/locales.js';
import { tagOf } from '../../i18n/dates.js';

/** The texts that a theme brings, by the names of its files. */
export type ThemeTexts = ReadonlyMap<string, unknown>;

export interface Filling {
  own: (text: string) => string;
  write: (value: unknown) => string;
}

/**
 * The text at a dotted key in the language of the page, else in that language without its country, else in English; null where it is nowhere. `%{name}` is filled in:
 * `own` writes what the theme says, `write` what is filled in. A text in several forms (`one`, `other`) is chosen by `count`.
 */
export function lookUp(
  texts: ThemeTexts,
  locale: Locale,
  key: string,
  values: Record<string, unknown>,
  { own, write }: Filling,
): string | null {
  for (const language of new Set([locale, locale.split('-')[0]!, 'en'])) {
    const file = fileOf(texts, language);
    const found = formOf(at(file, key) ?? at(file, otherSign(key)), locale, values.count);
    if (found === null) continue;
    return found.replace(/%\{(\w+)\}|[^%]+|%/g, (written, name?: string) =>
      name !== undefined && Object.hasOwn(values, name) ? write(values[name]) : own(written),
    );
  }
  return null;
}

/** The last step with the other sign between its words: states have a hyphen, and texts of themes in the field `partially_degraded`. */
function otherSign(key: string): string {
  const last = key.lastIndexOf('.') + 1;
  return key.slice(0, last) + key.slice(last).replace(/[-_]/g, sign => (sign === '-' ? '_' : '-'));
}

function fileOf(texts: ThemeTexts, language: string): unknown {
  const wanted = language.toLowerCase();
  for (const [name, content] of texts) if (name.toLowerCase() === wanted) return content;
}

function at(texts: unknown, key: string): unknown {
  let found = texts;
  for (const step of key.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

function formOf(found: unknown, locale: Locale, count: unknown): string | null {
  if (typeof found === 'string') return found;
  if (typeof found === 'number') return String(found);
  if (typeof found !== 'object' || found === null || count === undefined) return null;
  const forms = found as Record<string, unknown>;
  const category = new Intl.PluralRules(tagOf(locale)).select(Number(count));
  return formOf((Number(count) === 0 ? forms.zero : undefined) ?? forms[category] ?? forms.other, locale, undefined);
}
