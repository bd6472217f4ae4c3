import { type FilterImplOptions, filters as standard } from 'liquidjs';
import type { Locale } from '../../i18n/locales.js';
import { textsOf } from '../../i18n/translator.js';
import { arithmetic } from './arithmetic.js';
import { momentOf } from './local-time.js';
import {
  bare,
  type Cleaning,
  escapedOnce,
  isMap,
  Markup,
  OwnMarkup,
  OwnText,
  plain,
  Printable,
  printed,
  textOf,
  unescaped,
} from './safe-values.js';
import { strftime } from './strftime.js';
import { type Filling, lookUp, type ThemeTexts } from './theme-texts.js';

/** What the filters have to know of the drawing that they are used in. */
export interface Circumstances {
  texts: ThemeTexts;
  locale: Locale;
  zone: string;
  now: Date;
  /** The address of an asset of the theme. */
  addressOf(asset: string): string;
}

// biome-ignore lint/suspicious/noExplicitAny: a template hands anything to a filter
type Filter = (this: any, value: any, ...rest: any[]) => unknown;

/** `<p>`, `</a>`: where one is taken out of markup what is left is markup. */
const wholeTag = /^<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?>$/i;

/** Longer strings the platform keeps outside of the memory that is bounded. */
const longestEncoded = 250_000;

function shortText(value: unknown): string {
  const text = textOf(value);
  if (text.length > longestEncoded)
    throw new Error(`a text of more than ${longestEncoded} characters is too long for this filter`);
  return text;
}

/** The filters of a theme, by name: those of Liquid, some of them in another form, and the ones that are ours. */
export function filtersOf(clean: Cleaning, circumstances: () => Circumstances): Record<string, FilterImplOptions> {
  const html = (value: unknown) => printed(value, clean);
  /** Once escaped a text is markup, whose references stay as they are whatever escapes it again; its tags become text, since an author who escapes may stand in an attribute. */
  const escapeText: Filter = value =>
    new Markup(value instanceof Markup ? escapedOnce(value.html) : clean(textOf(value)));
  /** Of markup these make markup: nothing is cut within a tag, and what is put in is escaped. What is looked for may be a whole tag. */
  const keeping = (name: keyof typeof standard): [string, Filter] => {
    const filter = standard[name] as Filter;
    return [
      name,
      function (value, ...rest) {
        if (!(value instanceof Markup)) return filter.call(this, plain(value), ...rest.map(plain));
        const isTag = (each: unknown, place: number) =>
          place === 0 && looking.has(name) && typeof each === 'string' && wholeTag.test(each);
        return new Markup(
          filter.call(
            this,
            value.html,
            ...rest.map((each, place) => (typeof each === 'number' || isTag(each, place) ? each : html(each))),
          ) as string,
        );
      },
    ];
  };
  const looking = new Set<string>([
    'replace',
    'replace_first',
    'replace_last',
    'remove',
    'remove_first',
    'remove_last',
  ]);
  const whitespace = ['strip', 'lstrip', 'rstrip', 'strip_newlines', 'normalize_whitespace', 'squish'] as const;
  const changes = [
    'append',
    'prepend',
    'replace',
    'replace_first',
    'replace_last',
    'remove',
    'remove_first',
    'remove_last',
  ] as const;

  /** A format may go by the name that the theme's texts have for it; without one it is that of `default`, where there is one. */
  const shapeOf = (format: string): string => {
    if (format.includes('%')) return format;
    const { texts, locale } = circumstances();
    const own = (text: string) => text;
    return (
      lookUp(texts, locale, `date_formats.${format || 'default'}`, {}, { own, write: own as Filling['write'] }) ??
      format
    );
  };
  /** Of two moments; null where it is not two of them. */
  const secondsBetween = (one: unknown, other: unknown): number | null => {
    if (other === undefined || Array.isArray(other)) return null;
    const [from, to] = [one, other].map(each => momentOf(bare(each), circumstances()));
    return from && to ? Math.abs(to.getTime() - from.getTime()) / 1000 : null;
  };

  const ours: Record<string, Filter> = {
    ...arithmetic,
    ...Object.fromEntries([...whitespace, ...changes].map(keeping)),
    escape: escapeText,
    h: escapeText,
    xml_escape: escapeText,
    escape_once: value => new Markup(escapedOnce(value instanceof Markup ? value.html : textOf(value))),
    raw: value => (value instanceof OwnText || value instanceof OwnMarkup ? new Markup(value.freed) : value),
    /** Paragraphs and lines of a text; what is markup has its own. */
    simple_format: value =>
      value instanceof Markup
        ? value
        : new Markup(
            html(value)
              .split(/(?:\r?\n){2,}/)
              .map(part => `<p>${part.trim().replace(/\r?\n/g, '<br />\n')}</p>`)
              .join('\n'),
          ),
    newline_to_br: value => new Markup(html(value).replace(/\r?\n/g, '<br />\n')),
    /** What is left of markup is a text again. */
    strip_html(value) {
      const text = (standard.strip_html as Filter).call(
        this,
        value instanceof Markup ? value.html : plain(value),
      ) as string;
      return value instanceof Markup ? unescaped(text) : text;
    },
    default(value, fallback, ...rest) {
      if (isMap(value) && !Object.keys(value).length) return fallback;
      if (!(value instanceof Printable)) return (standard.default as Filter).call(this, value, fallback, ...rest);
      return value.text === '' ? fallback : value;
    },
    join(list, glue = ' ') {
      if (!Array.isArray(list) || !list.some(each => each instanceof Printable))
        return (standard.join as Filter).call(this, list, plain(glue));
      return new Markup(list.map(html).join(html(glue)));
    },
    size: value => {
      const found = bare(value);
      if (typeof found === 'string' || Array.isArray(found)) return found.length;
      return typeof found === 'object' && found ? Object.keys(found).length : 0;
    },
    first: value => ends(value)?.at(0),
    last: value => ends(value)?.at(-1),
    base64_encode: value => Buffer.from(shortText(value)).toString('base64'),
    base64_decode: value => Buffer.from(shortText(value), 'base64').toString(),

    asset_url: value => circumstances().addressOf(textOf(value)),
    t: (key, ...named) => {
      const { texts, locale } = circumstances();
      const values = Object.fromEntries(named.filter((each): each is [string, unknown] => Array.isArray(each)));
      const name = textOf(key);
      const fill = (filling: Filling) => lookUp(texts, locale, name, values, filling);
      const same = (each: string) => each;
      const text = fill({ own: same, write: value => printed(bare(value), same) });
      const freed = () => fill({ own: same, write: html })!;
      const whole = () => fill({ own: clean, write: html })!;
      // A key that is nowhere may be anything, a subject too: it is no text of the theme's own.
      if (text === null) return name;
      // What was captured is markup, and is filled in as that.
      const hasMarkup = Object.values(values).some(value => value instanceof Markup);
      return hasMarkup ? new OwnMarkup(whole(), freed()) : new OwnText(text, whole(), freed());
    },
    date: (value, format) => {
      const { now, zone, locale } = circumstances();
      const shape = shapeOf(textOf(format));
      const moment = shape ? momentOf(bare(value), { now, zone }) : null;
      return moment ? strftime(moment, shape, { zone, locale }) : value;
    },
    distance_of_time_in_words: (value, other) => {
      const seconds = secondsBetween(value, other) ?? bare(value);
      return seconds === null || seconds === undefined || Number.isNaN(Number(seconds))
        ? ''
        : textsOf(circumstances().locale).about(Number(seconds));
    },
    time_ago_in_words: value => {
      const { now, zone, locale } = circumstances();
      const moment = momentOf(bare(value), { now, zone });
      return moment ? textsOf(locale).about((now.getTime() - moment.getTime()) / 1000) : '';
    },
  };

  const others = Object.entries(standard as Record<string, Filter>).map(([name, filter]): [string, Filter] => [
    name,
    function (value, ...rest) {
      return filter.call(this, plain(value), ...rest.map(plain));
    },
  ]);
  return { ...Object.fromEntries(others), ...ours } as Record<string, FilterImplOptions>;
}

/** Lists, and maps, which are lists of pairs. */
function ends(value: unknown): unknown[] | string | null {
  const found = bare(value);
  if (Array.isArray(found) || typeof found === 'string') return found as unknown[] | string;
  return typeof found === 'object' && found ? Object.entries(found) : null;
}
