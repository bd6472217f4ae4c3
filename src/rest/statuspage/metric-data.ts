import { invalid, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { parseTimestamp } from '../../core/timestamp.js';
import { readMetricData } from '../request/metric-data.js';
import type { Parameter, Parameters } from '../request/parameters.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';

const RecordMetric = /* GraphQL */ `
  mutation RecordStatuspageMetric($page: ID!, $id: ID!, $input: RecordMetricInput!) {
    result: recordMetric(pageId: $page, id: $id, input: $input) { page { id } }
  }`;

const RecordMetricValues = /* GraphQL */ `
  mutation RecordStatuspageMetricValues($page: ID!, $input: RecordMetricValuesInput!) {
    result: recordMetricValues(pageId: $page, input: $input) { count }
  }`;

export const metricDataDocuments = [RecordMetric, RecordMetricValues];

interface Point {
  value: number;
  at: Date;
}

/** A text says which field cannot be read, and why. */
function readPoint(given: Parameters): Point | { field: 'value' | 'timestamp'; problem: string } {
  const data = readMetricData(given);
  const value = typeof data.value === 'string' && data.value.trim() ? Number(data.value) : data.value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return { field: 'value', problem: 'must be a number' };
  const timestamp = typeof data.timestamp === 'string' ? parseTimestamp(data.timestamp) : null;
  if (data.timestamp != null && !timestamp) return { field: 'timestamp', problem: 'must be in seconds since 1970' };
  return { value, at: timestamp ?? new Date() };
}

const toSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** A point of the list, with the key of the metric. */
interface GivenPoint extends Point {
  metricId: string;
}

/** Reads the lists of points by metric. A point that cannot be read is left out with a warning. */
function readPoints({ input, warnings }: StatuspageRequest): GivenPoint[] {
  return Object.entries(input).flatMap(([metricId, given]) => {
    const points = Array.isArray(given) ? given : [given];
    return points.flatMap((member, index) => {
      const point = isPoint(member) ? readPoint(member) : { field: 'value' as const, problem: 'must be a number' };
      if ('value' in point) return [{ ...point, metricId }];
      warnings.add(`${nameOf(metricId, index)} was left out: ${point.field} ${point.problem}.`);
      return [];
    });
  });
}

const isPoint = (member: Parameter): member is Parameters =>
  typeof member === 'object' && member !== null && !Array.isArray(member) && 'value' in member;

/** A key can have a megabyte, and thousands of points. */
const quote = (metricId: string) => JSON.stringify(metricId.slice(0, 60).toWellFormed());
const nameOf = (metricId: string, index: number) => `${quote(metricId)}[${index}]`;

/** Stores the points that can be stored, and names the others. */
async function record({ path: { page }, run, warnings }: StatuspageRequest, points: readonly GivenPoint[]) {
  const send = (known: readonly GivenPoint[]) =>
    run(RecordMetricValues, {
      page,
      input: {
        values: known.map(({ metricId, value, at }) => ({ metricId, value, timestamp: at.toISOString() })),
      },
    });
  try {
    await send(points);
    return points;
  } catch (error) {
    const refused = listRefused(error);
    if (!refused.size) throw error;
    const known = points.filter((_, index) => !refused.has(index));
    await send(known);
    for (const [index, reason] of refused) warnings.add(`${quote(points[index]!.metricId)} ${reason}`);
    return known;
  }
}

/** The points that are refused, each with the reason. */
function listRefused(error: unknown): Map<number, string> {
  const found = error instanceof Refusal ? (error.details.fields?.values ?? []) : [];
  return new Map(
    found.flatMap(({ index, key, requirement }) => {
      const reason =
        key === 'metricId'
          ? 'was left out: the page has no metric with this id.'
          : `was left out: ${key} ${requirement}.`;
      return index === undefined ? [] : [[index, reason]];
    }),
  );
}

const list = '/pages/:page/metrics';

export const metricDataRoutes: readonly StatuspageRoute[] = [
  {
    method: 'POST',
    path: `${list}/data`,
    priority: 'write',
    record: 'data',
    status: 202,
    isMap: true,
    async handle(request) {
      const stored = await record(request, readPoints(request));
      const lists = Map.groupBy(stored, ({ metricId }) => metricId);
      const render = ({ value, at }: GivenPoint) => ({ timestamp: toSeconds(at), value });
      return Object.fromEntries([...lists].map(([metricId, points]) => [metricId, points.map(render)]));
    },
  },
  {
    method: 'POST',
    path: `${list}/:id/data`,
    priority: 'write',
    record: 'data',
    fields: ['value', 'timestamp'],
    async handle({ path: { page, id }, input, run }) {
      const point = readPoint(input);
      if ('field' in point) throw invalid({ [point.field]: [problems.invalid(point.problem)] });
      const { value, at } = point;
      await run(RecordMetric, { page, id, input: { value, timestamp: at.toISOString() } });
      return { data: { timestamp: toSeconds(at), value } };
    },
  },
];
