import { badRequest, invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { findIntendedName } from '../../core/suggest.js';
import type { Parameter, Parameters } from '../request/parameters.js';
import type { StatuspageRoute } from './route.js';

const maxWarnings = 20;
const maxNameLength = 60;

/** Sentences about what a request had that was not stored, or not as it was sent. Each is in the response once. */
export class Warnings {
  private readonly sentences = new Set<string>();

  add(sentence: string): void {
    this.sentences.add(sentence);
  }

  /** Whether a further one would only be counted. */
  isFull(): boolean {
    return this.sentences.size >= maxWarnings;
  }

  list(): string[] {
    const all = [...this.sentences];
    const more = all.length - maxWarnings;
    return more > 0 ? [...all.slice(0, maxWarnings), `There are ${more} more.`] : all;
  }
}

/** Values of the header Warning, whose text is a quoted string in ASCII. 299 is "miscellaneous persistent warning". */
export const toWarningHeaders = (sentences: readonly string[]): string[] =>
  sentences.map(sentence => {
    const text = sentence
      .replace(/["\\]/g, "'")
      .replace(/…/g, '...')
      .replace(/[^ -~]/g, '?');
    return `299 - "${text}"`;
  });

type Known = Pick<StatuspageRoute, 'method' | 'record' | 'fields' | 'outer' | 'query'>;

/** A filter that is ignored returns wrong records. */
export function refuseUnknownFilters({ query: known = [] }: Known, query: Parameters): void {
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue;
    const list = known.length ? `There are: ${known.join(', ')}.` : 'There are none.';
    throw badRequest(`There is no parameter "${shorten(name)}" here. ${list}`);
  }
}

/** For records of which no field may be ignored: without the one that it names, a subscriber gets other messages. */
export function refuseUnknownFields({ fields: known = [] }: Known, input: Parameters): void {
  const unknown = Object.keys(input).filter(name => !known.includes(name) && !isBlank(input[name]));
  if (!unknown.length) return;
  const problem = problems.unusable(`is not taken here. Taken are: ${known.join(', ')}`);
  throw invalid(Object.fromEntries(unknown.map(name => [shorten(name), [problem]])));
}

/**
 * Adds a warning for each field and parameter that the route does not know. A field whose value the response has, as
 * where a record is sent back whole, needs none.
 */
export function warnOfUnknown(
  warnings: Warnings,
  { record: recordName = '', fields: known = [], outer = [], query: knownQuery = [] }: Known,
  { query, body, input, result }: { query: Parameters; body: Parameters; input: Parameters; result?: object },
): void {
  const shown = (result ?? {}) as Record<string, unknown>;
  const warn = (name: string, candidates: readonly string[]) => {
    const meant = warnings.isFull() ? undefined : findIntendedName(name, candidates);
    warnings.add(`${shorten(name)} was ignored.${meant ? ` Did you mean ${meant}?` : ''}`);
  };
  for (const name of Object.keys(query)) if (!knownQuery.includes(name)) warn(name, knownQuery);
  for (const name of Object.keys(body)) if (name !== recordName && !outer.includes(name)) warn(name, [recordName]);
  for (const [name, value] of Object.entries(input)) {
    if (!known.includes(name) && !isBlank(value) && !isSame(value, shown[name])) warn(name, known);
  }
}

const shorten = (name: string): string =>
  name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name;

const isBlank = (value: Parameter | undefined) => value === undefined || value === null || value === '';

/** A form has each value as a text. */
const isSame = (sent: Parameter, shown: unknown): boolean =>
  JSON.stringify(sent) === JSON.stringify(shown) || (typeof sent !== 'object' && String(sent) === String(shown));
