import type { Locale } from '../../pages/locales.js';
import { tagOf } from '../../texts/dates.js';

/** The texts that a theme brings, by the names of its files. */
export type ThemeTexts = ReadonlyMap<string, unknown>;

/**
 * The text at a dotted key in the language of the page, else in that language without its country, else in English; null where it is nowhere. `%{name}` is filled in.
 * A text in several forms (`one`, `other`) is chosen by `count`.
 */
export function lookUp(texts: ThemeTexts, locale: Locale, key: string, values: Record<string, unknown>, write: (value: unknown) => string): string | null {
  for (const language of new Set([locale, locale.split('-')[0]!, 'en'])) {
    const found = formOf(at(fileOf(texts, language), key), locale, values.count);
    if (found === null) continue;
    return found.replace(/%\{(\w+)\}/g, (written, name: string) => (Object.hasOwn(values, name) ? write(values[name]) : written));
  }
  return null;
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
