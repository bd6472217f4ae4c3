import { invalid, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { type Alert, hashLabels, joinTexts, maxAlerts, toKey, toLine, toTime, toTitle } from './format.js';
import { compilePath, type QueryPath } from './json-path.js';
import { bearer } from './signature.js';

/** Paths of `AlertFields` that lead to one value. */
export const pathFields = ['title', 'text', 'state', 'key', 'group', 'service', 'startsAt'] as const;
type PathField = (typeof pathFields)[number];

export const fieldLimits = { length: 255, states: 20, labels: 20 };

/** Where a sender of any kind has what an alert needs: JSONPaths, `$` the body and `@` one alert of its list. */
export type AlertFields = Readonly<Record<PathField, string | null>> & {
  /** The alerts of a body with several. Null: the body is one. */
  readonly alerts: string | null;
  /** The values of `state` of alerts that fire. None: all others. */
  readonly firingStates: readonly string[];
  readonly resolvedStates: readonly string[];
  readonly labels: readonly { readonly name: string; readonly path: string }[];
};

export const customFormat = {
  label: 'The sender',
  description: 'What the field paths of the source read.',
  ...bearer,
};

/** The first character is `$`, which the library requires, or `@`. */
const toQuery = (path: string) => compilePath(path.replace(/^@/, '$'));

/** Null: it can be used. */
export function findPathProblem(path: string, mayBeOfAlert: boolean): string | null {
  const result = toQuery(path);
  if ('problem' in result) return result.problem;
  return path.startsWith('@') && !mayBeOfAlert
    ? 'must begin with `$`, since `@` is one alert of the list `alerts`'
    : null;
}

/** Reads the alerts of a body by the paths. Throws a refusal that names the field and its path. */
export function parseByFields(fields: AlertFields, body: unknown): Alert[] {
  const elements = listElements(fields, body);
  refuseManyReads(fields, body, elements);
  const read = createReader(fields, body);
  // What a path of the body finds is the same for each alert.
  const join = once(joinTexts);
  const [toOneLine, toOneKey, toGroup] = [
    once((value: unknown) => toLine(value)),
    once((value: unknown) => toKey(value)),
    once((value: unknown) => toKey(value, 1_000)),
  ];
  const [toOneStatus, toOneMoment] = [once((state: unknown) => toStatus(fields, state)), once(toMoment)];
  return elements.flatMap((element, index) => {
    const find = (field: PathField) => read(fields[field], element);
    const require = (field: PathField): unknown[] => {
      const values = find(field);
      if (values.length) return values;
      throw nothingFound(field, fields[field]!, fields.alerts === null ? '' : ` in alert ${index + 1}`);
    };
    const status = toOneStatus(fields.state === null ? null : require('state')[0]);
    if (!status) return [];
    const title = toTitle(...require('title').slice(0, maxTitles).map(toOneLine));
    const service = toOneLine(find('service')[0]);
    const fingerprint = fields.key === null ? hashLabels(title, service) : toOneKey(require('key')[0]);
    return {
      fingerprint,
      status,
      title,
      service,
      group: (fields.group !== null && toGroup(find('group')[0])) || fingerprint,
      text: join(find('text')),
      labels: Object.fromEntries(fields.labels.map(({ name, path }) => [name, toOneLine(read(path, element)[0])])),
      startsAt: toOneMoment(find('startsAt')[0]),
    };
  });
}

/** Reads each value once: a long text takes a millisecond. */
function once<Value, Result>(read: (value: Value) => Result): (value: Value) => Result {
  const known = new Map<Value, Result>();
  return value => {
    if (!known.has(value)) known.set(value, read(value));
    return known.get(value) as Result;
  };
}

/** Values times paths. A path takes time linear in what it reads, and a million reads take 250 ms. */
const maxReads = 150_000;

function refuseManyReads(fields: AlertFields, body: unknown, elements: readonly unknown[]): void {
  const paths = listPaths(fields);
  const ofAlert = paths.filter(path => path.startsWith('@')).length;
  const reads = ofAlert * countValues(elements) + (paths.length - ofAlert) * countValues(body);
  if (reads > maxReads)
    throw new Refusal(
      'PAYLOAD_TOO_LARGE',
      `The field paths read ${reads.toLocaleString('en')} values, of which the limit is ` +
        `${maxReads.toLocaleString('en')}. Send fewer alerts at once.`,
    );
}

const listPaths = (fields: AlertFields): string[] =>
  [...pathFields.map(field => fields[field]), ...fields.labels.map(({ path }) => path)].filter(path => path !== null);

/** Those within it, at all levels. Not recursive: lists may be within each other as deep as a body is long. */
function countValues(value: unknown): number {
  let count = 0;
  for (let level = [value]; level.length; level = level.flatMap(one => (isContainer(one) ? Object.values(one) : [])))
    count += level.length;
  return count;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Of a path that finds several. */
const maxTitles = 10;

const isText = (value: unknown) => value !== '' && ['string', 'number', 'boolean'].includes(typeof value);

/** Returns a function that finds the texts and numbers of a path. Those of the body are read once for all alerts. */
function createReader(fields: AlertFields, body: unknown): (path: string | null, element: unknown) => unknown[] {
  const queries = new Map<string, QueryPath>();
  for (const path of listPaths(fields)) {
    const result = toQuery(path);
    if ('problem' in result) continue;
    const ofBody = path.startsWith('@') ? null : findTexts(result.query, body);
    queries.set(path, ofBody ? () => ofBody : element => findTexts(result.query, element));
  }
  return (path, element) => (path === null ? [] : (queries.get(path)?.(element) ?? []));
}

const findTexts = (query: QueryPath, document: unknown): unknown[] =>
  query(document)
    .filter(isText)
    .map(value => (typeof value === 'boolean' ? String(value) : value));

function listElements({ alerts }: AlertFields, body: unknown): unknown[] {
  if (alerts === null) return [body];
  const result = toQuery(alerts);
  const found = 'query' in result ? result.query(body) : [];
  const elements = found.length === 1 && Array.isArray(found[0]) ? found[0] : found;
  if (!found.length) throw nothingFound('alerts', alerts, '');
  // One more than are stored, so that it is said that there are more.
  return elements.slice(0, maxAlerts + 1);
}

const nothingFound = (field: string, path: string, place: string) =>
  invalid({
    [`fields.${field}`]: [{ ...problems.invalid(`finds nothing${place} by the path ${path}`), hidesValue: true }],
  });

/** Null: the event is neither the beginning nor the end of trouble. */
function toStatus({ firingStates, resolvedStates }: AlertFields, state: unknown): Alert['status'] | null {
  const given = toLine(state).toLowerCase();
  const isOneOf = (states: readonly string[]) => states.some(each => each.toLowerCase() === given);
  if (isOneOf(resolvedStates)) return 'resolved';
  return !firingStates.length || isOneOf(firingStates) ? 'firing' : null;
}

/** Seconds or milliseconds since 1970, or a time in ISO 8601. Seconds have ten digits until 2286. */
function toMoment(value: unknown): Date | null {
  const number = typeof value === 'number' || /^\d{9,13}$/.test(toLine(value)) ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) return toTime(value);
  const milliseconds = number < 1e11 ? number * 1000 : number;
  return milliseconds < 8e15 ? toTime(new Date(milliseconds).toISOString()) : null;
}
