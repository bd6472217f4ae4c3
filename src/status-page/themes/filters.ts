import { type FilterImplOptions, filters as standard } from 'liquidjs';
import type { Locale } from '../../i18n/locales.js';
import { getTranslator } from '../../i18n/translator.js';
import { arithmeticFilters } from './arithmetic.js';
import { completeDateFormat } from './date-format.js';
import { getOffsetMinutes } from '../../i18n/local-time.js';
import { parseInstant } from './parse-instant.js';
import {
  unwrap,
  type Escape,
  escapeHtmlOnce,
  isMap,
  HtmlValue,
  MissingText,
  TranslatedHtml,
  TranslatedText,
  toPrimitive,
  SafeValue,
  printValue,
  toText,
  unescapeHtml,
} from './safe-values.js';
import { createWhere, textFilters } from './text-filters.js';
import { describeMissingKey, type Interpolation, findText, type ThemeTexts } from './theme-texts.js';

/** What the filters need to know of the current rendering. */
export interface FilterContext {
  texts: ThemeTexts;
  locale: Locale;
  zone: string;
  now: Date;
  /** The URL of an asset of the theme. */
  assetUrl(asset: string): string;
}

// biome-ignore lint/suspicious/noExplicitAny: a template may pass anything to a filter
type Filter = (this: any, value: any, ...rest: any[]) => unknown;

/** `<p>`, `</a>`: HTML without a whole tag is still HTML. */
const wholeTag = /^<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?>$/i;

const dottedKey = /^[\w-]+(?:\.[\w-]+)+$/;

/** V8 stores longer buffers outside of the heap, which no heap limit covers. */
const maxEncodedLength = 250_000;

const whitespaceFilters = ['strip', 'lstrip', 'rstrip', 'strip_newlines', 'normalize_whitespace', 'squish'] as const;
const searchFilters = ['replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last'] as const;
const editFilters = ['append', 'prepend', ...searchFilters] as const;
const isSearchFilter = (name: string): boolean => searchFilters.some(one => one === name);

const same = (text: string) => text;

/** Of a decimal its text, such as 2.0, since the filters that take it are those of texts. */
const withoutWrapper = (value: unknown): unknown => (value instanceof SafeValue ? value.text : value);

function toBoundedText(value: unknown): string {
  const text = toText(value);
  if (text.length > maxEncodedLength)
    throw new Error(`a text of more than ${maxEncodedLength} characters is too long for this filter`);
  return text;
}

/** The filters by name: those of Liquid, some of them adapted to escaped output, and our own. */
export function createFilters(escapeValue: Escape, getContext: () => FilterContext): Record<string, FilterImplOptions> {
  const html = (value: unknown) => printValue(value, escapeValue);
  /** An escaped text is HTML and not escaped again. Tags of HTML become text, as in an attribute they must. */
  const escapeText: Filter = value =>
    new HtmlValue(value instanceof HtmlValue ? escapeHtmlOnce(value.html) : escapeValue(toText(value)));
  /** Keeps HTML as HTML: arguments are escaped, but for a search text that is a whole tag, so that no tag is cut. */
  const htmlPreserving = (name: keyof typeof standard): [string, Filter] => {
    const filter = standard[name] as Filter;
    return [
      name,
      function (value, ...rest) {
        if (!(value instanceof HtmlValue))
          return filter.call(this, isMap(value) ? '' : withoutWrapper(value), ...rest.map(withoutWrapper));
        const isTag = (each: unknown, position: number) =>
          position === 0 && isSearchFilter(name) && typeof each === 'string' && wholeTag.test(each);
        return new HtmlValue(
          filter.call(
            this,
            value.html,
            ...rest.map((each, position) => (typeof each === 'number' || isTag(each, position) ? each : html(each))),
          ) as string,
        );
      },
    ];
  };

  /** A format without `%` is a name under `date_formats` in the theme's locales; empty: `default`. Null: none. */
  const resolveFormat = (value: unknown): string | null => {
    const format = toText(value);
    if (format.includes('%')) return format;
    const { texts, locale } = getContext();
    const interpolation = { formatText: same, formatArgument: String };
    const pattern = findText(texts, locale, `date_formats.${format || 'default'}`, {}, interpolation);
    return pattern ?? (value instanceof MissingText || dottedKey.test(format) ? null : format);
  };
  /** Null unless both are points in time. */
  const secondsBetween = (one: unknown, other: unknown): number | null => {
    if (other === undefined || Array.isArray(other)) return null;
    const [from, to] = [one, other].map(each => parseInstant(unwrap(each), getContext()));
    return from && to ? Math.abs(to.getTime() - from.getTime()) / 1000 : null;
  };

  const ownFilters: Record<string, Filter> = {
    ...arithmeticFilters,
    ...textFilters,
    where: createWhere(standard.where as Filter),
    ...Object.fromEntries([...whitespaceFilters, ...editFilters].map(htmlPreserving)),
    escape: escapeText,
    h: escapeText,
    xml_escape: escapeText,
    escape_once: value => new HtmlValue(escapeHtmlOnce(value instanceof HtmlValue ? value.html : toText(value))),
    raw: value =>
      value instanceof TranslatedText || value instanceof TranslatedHtml ? new HtmlValue(value.raw) : value,
    /** Converts the lines of a text to HTML paragraphs. HTML stays as it is. */
    simple_format: value =>
      value instanceof HtmlValue
        ? value
        : new HtmlValue(
            html(value)
              .split(/(?:\r?\n){2,}/)
              .map(part => `<p>${part.trim().replace(/\r?\n/g, '<br />\n')}</p>`)
              .join('\n'),
          ),
    newline_to_br: value => new HtmlValue(html(value).replace(/\r?\n/g, '<br />\n')),
    /** HTML without its tags is a text again. */
    strip_html(value) {
      const text = (standard.strip_html as Filter).call(
        this,
        value instanceof HtmlValue ? value.html : toPrimitive(value),
      ) as string;
      return value instanceof HtmlValue ? unescapeHtml(text) : text;
    },
    default(value, fallback, ...rest) {
      if (isMap(value) && !Object.keys(value).length) return fallback;
      if (!(value instanceof SafeValue)) return (standard.default as Filter).call(this, value, fallback, ...rest);
      return value.text === '' ? fallback : value;
    },
    join(list, glue = ' ') {
      if (unwrap(glue) === null) return (standard.join as Filter).call(this, list, '');
      if (isMap(list)) return '';
      if (!Array.isArray(list) || !list.some(each => each instanceof SafeValue))
        return (standard.join as Filter).call(this, list, toPrimitive(glue));
      return new HtmlValue(list.map(html).join(html(glue)));
    },
    size: value => {
      const content = unwrap(value);
      if (typeof content === 'string') return [...content].length;
      if (Array.isArray(content)) return content.length;
      return typeof content === 'object' && content ? Object.keys(content).length : 0;
    },
    first: value => toSequence(value)?.at(0),
    last: value => toSequence(value)?.at(-1),
    base64_url_safe_encode: value =>
      Buffer.from(toBoundedText(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
    base64_url_safe_decode: value => Buffer.from(toBoundedText(value), 'base64url').toString(),
    base64_encode: value => Buffer.from(toBoundedText(value)).toString('base64'),
    base64_decode: value => Buffer.from(toBoundedText(value), 'base64').toString(),

    asset_url: value => getContext().assetUrl(toText(value)),
    t: (key, ...named) => {
      const { texts, locale } = getContext();
      const values = Object.fromEntries(named.filter((each): each is [string, unknown] => Array.isArray(each)));
      const name = toText(key);
      const fill = (interpolation: Interpolation) => findText(texts, locale, name, values, interpolation);
      const text = fill({ formatText: same, formatArgument: value => printValue(unwrap(value), same) });
      const raw = () => fill({ formatText: same, formatArgument: html })!;
      const escaped = () => fill({ formatText: escapeValue, formatArgument: html })!;
      // Not a text of the theme, so `raw` has no effect: the key may be any value, such as a subject.
      if (text === null) {
        const description = describeMissingKey(name, locale);
        return new MissingText(description, escapeValue(description));
      }
      // A captured argument is HTML, and so is the result.
      const hasHtml = Object.values(values).some(value => value instanceof HtmlValue);
      return hasHtml ? new TranslatedHtml(escaped(), raw()) : new TranslatedText(text, escaped(), raw());
    },
    date(value, format) {
      const { now, zone, locale } = getContext();
      const pattern = resolveFormat(format);
      const instant = pattern === '' ? null : parseInstant(unwrap(value), { now, zone });
      if (!instant) return value;
      if (pattern === null) return getTranslator(locale).formatDateTime(instant, zone);
      const completed = completeDateFormat(pattern, instant, zone, locale);
      // JavaScript's offsets count to the west.
      return (standard.date as Filter).call(this, instant, completed, -getOffsetMinutes(instant, zone));
    },
    distance_of_time_in_words: (value, other) => {
      const seconds = secondsBetween(value, other) ?? unwrap(value);
      return seconds === null || seconds === undefined || Number.isNaN(Number(seconds))
        ? ''
        : getTranslator(getContext().locale).formatDistance(Number(seconds));
    },
    time_ago_in_words: value => {
      const { now, zone, locale } = getContext();
      const instant = parseInstant(unwrap(value), { now, zone });
      return instant ? getTranslator(locale).formatDistance((now.getTime() - instant.getTime()) / 1000) : '';
    },
  };

  const standardFilters = Object.entries(standard as Record<string, Filter>).map(([name, filter]): [string, Filter] => [
    name,
    function (value, ...rest) {
      return filter.call(this, toPrimitive(value), ...rest.map(toPrimitive));
    },
  ]);
  return { ...Object.fromEntries(standardFilters), ...ownFilters } as Record<string, FilterImplOptions>;
}

/** Of a map, the list of its pairs. */
function toSequence(value: unknown): unknown[] | string | null {
  const content = unwrap(value);
  if (Array.isArray(content) || typeof content === 'string') return content as unknown[] | string;
  return typeof content === 'object' && content ? Object.entries(content) : null;
}
