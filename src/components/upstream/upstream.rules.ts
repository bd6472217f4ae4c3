import { impacts } from '../../notices/impact.rules.js';
import type { ManualComponentStatus } from '../manual-status.rules.js';

/**
 * The statuses that an upstream can give a component, from best to worst. `unknown`: it has not answered for too long,
 * which is not an outage.
 */
export const upstreamStatuses = ['operational', 'unknown', 'maintenance', ...impacts] as const;
export type UpstreamStatus = (typeof upstreamStatuses)[number];

/** A period in which an upstream gave a component a status other than operational. */
export interface UpstreamPeriod {
  componentId: number;
  state: UpstreamStatus;
  beganAt: string;
  /** Null: it lasts. */
  endedAt: string | null;
}

const maxFailures = 5;
export const silentAfterMinutes = 15;

const minuteMs = 60_000;
const minIntervalMs = minuteMs;
/** Also the longest age of a response that is not asked for again. */
const maxIntervalMs = 10 * minuteMs;
const maxRetryAfterMs = 24 * 60 * minuteMs;

/** Whether the last answer of an upstream says nothing any more. */
export const isSilent = ({ failures, answeredAt }: { failures: number; answeredAt: Date }, now: Date): boolean =>
  failures >= maxFailures || now.getTime() - answeredAt.getTime() >= silentAfterMinutes * minuteMs;

/** Until the next request after an answer. `random` is from 0 to 1: requests to many upstreams spread. */
export const nextAfterAnswerMs = (cacheControl: string | null, random: number): number =>
  Math.min(maxIntervalMs, Math.max(minIntervalMs, readMaxAgeMs(cacheControl))) * (1 + random / 10);

/** The same after so many failures in a row. A Retry-After is followed where it is longer. */
export const nextAfterFailureMs = (failures: number, retryAfterMs: number, random: number): number =>
  Math.max(
    Math.min(maxIntervalMs, minIntervalMs * 2 ** Math.max(0, failures - 1)),
    Math.min(maxRetryAfterMs, retryAfterMs),
  ) *
  (1 + random / 10);

function readMaxAgeMs(cacheControl: string | null): number {
  const seconds = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  return seconds ? Number(seconds) * 1_000 : 0;
}

/** A Retry-After in milliseconds: seconds, or an HTTP date. 0: there is none that can be read. */
export function readRetryAfterMs(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  return Math.max(0, Date.parse(value) - now.getTime()) || 0;
}

/**
 * Whether a component has the status of its upstream, and not that which a person set it to: the worse of both counts,
 * and that of the person where they are as bad. OPERATIONAL that a person set counts whatever others say.
 */
export const winsOverManual = (status: UpstreamStatus, manual: ManualComponentStatus | undefined): boolean =>
  manual === undefined ||
  (manual !== 'operational' && upstreamStatuses.indexOf(status) > upstreamStatuses.indexOf(manual));

/** SQL: the components of a page that are not operational by their upstream; unknown ones are no outage of the page. */
export const hasUpstreamOutageSql = (pageId: string): string => `exists (
  select 1 from upstream u where u.page_id = ${pageId} and u.state not in ('operational', 'unknown')
    and not exists (select 1 from manual_status m
      where m.component_id = u.component_id and m.ended_at is null and m.state = 'operational'))`;
