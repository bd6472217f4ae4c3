import { serviceOrigin } from '../../db/audit.js';
import type { Database } from '../../db/database.js';
import type { BackgroundTask } from '../../db/poll.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction } from '../../db/transaction.js';
import { Writer } from '../../records/writer.js';
import type { UpstreamFormat } from './formats.js';
import type { UpstreamAnswer, UpstreamReader } from './read-upstream.js';
import { storeUpstreamStatuses } from './store-statuses.js';
import {
  isSilent,
  nextAfterAnswerMs,
  nextAfterFailureMs,
  readRetryAfterMs,
  silentAfterMinutes,
  type UpstreamStatus,
} from './upstream.rules.js';

interface DueUpstream {
  id: number;
  pageId: string;
  url: string;
  format: UpstreamFormat;
  remoteId: string;
  answeredAt: Date;
  failures: number;
  etag: string | null;
  lastModified: string | null;
  /** By the clock of the database, so that a process with a wrong clock gives up no upstream early. */
  leasedAt: Date;
}

/** As it is read: times are texts. */
type LeasedRow = Omit<DueUpstream, 'answeredAt' | 'leasedAt'> & Record<'answeredAt' | 'leasedAt', string>;

const readTimes = ({ answeredAt, leasedAt, ...row }: LeasedRow): DueUpstream => ({
  ...row,
  answeredAt: new Date(answeredAt),
  leasedAt: new Date(leasedAt),
});

const isDueSql = 'u.next_poll_at <= clock_timestamp()';
/** Requests at a time: each may hold some megabytes. */
const batchSize = 20;

/** In which a round ends after the requests in progress: many slow status pages are always due. */
const longestRoundMs = 60_000;

/**
 * Takes a lease: each upstream is asked by one process, which postpones the next request before it asks. If the process
 * dies, the upstream is due again after 2 minutes, which is longer than a request may take. Pages take turns, each with
 * the status page that has been due for longest: hundreds of slow ones on a page do not delay those of others.
 */
const leaseDueSql = `
  with waiting as (
    select u.id, u.page_id, u.url, min(u.next_poll_at) over (partition by u.page_id, u.url) as due_at
    from upstream u where ${isDueSql}
  ), candidates as materialized (
    select id, due_at, dense_rank() over (partition by page_id order by due_at, url) as turn from waiting
  ), due as materialized (
    select u.id from candidates c join upstream u on u.id = c.id where ${isDueSql}
    order by c.turn, c.due_at, u.url limit ${batchSize} for update of u skip locked
  )
  update upstream u set next_poll_at = clock_timestamp() + interval '2 minutes'
  from due where u.id = due.id
  returning u.id, u.page_id as "pageId", u.url, u.format, u.remote_id as "remoteId", u.answered_at as "answeredAt",
    u.failures, u.etag, u.last_modified as "lastModified", clock_timestamp() as "leasedAt"`;

/** Those that have failed and are not due for long, as they asked. */
const silentSql = `select u.id, u.page_id as "pageId" from upstream u
  where u.state <> 'unknown' and u.failures > 0 and not (${isDueSql})
    and u.answered_at <= clock_timestamp() - interval '${silentAfterMinutes} minutes'`;

/** Asks the upstreams that are due, each status page once, and returns how many requests that took. */
export async function pollUpstreams(
  database: Database,
  reader: UpstreamReader,
  stop?: AbortSignal,
  maxMs = longestRoundMs,
): Promise<number> {
  const end = performance.now() + maxMs;
  const write = new Writer(database, { origin: serviceOrigin('automation', 'pollUpstream') });
  let requests = 0;
  // Usually nothing is due, and a transaction would block the writers of an embedded database.
  while (!stop?.aborted && (await database.query(`select 1 from upstream u where ${isDueSql} limit 1`)).length) {
    const due = (await inTransaction(database, em => query<LeasedRow>(em, leaseDueSql))).map(readTimes);
    // Another process has them.
    if (!due.length) break;
    const groups = Map.groupBy(due, ({ pageId, url, format }) => JSON.stringify([pageId, url, format]));
    const polls = await Promise.allSettled(
      [...groups.values()].map(group => pollOne({ database, write, reader, stop }, group)),
    );
    const failed = polls.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    requests += groups.size;
    if (performance.now() >= end) break;
  }
  if (stop?.aborted) return requests;
  const silent = await database.query<{ id: number; pageId: string }>(silentSql);
  for (const [pageId, upstreams] of Map.groupBy(silent, ({ pageId }) => pageId))
    await storeUpstreamStatuses(write, pageId, new Map(upstreams.map(({ id }) => [id, 'unknown'])));
  return requests;
}

interface Polling {
  database: Database;
  write: Writer;
  reader: UpstreamReader;
  stop: AbortSignal | undefined;
}

/** Asks one status page for all components that follow it. */
async function pollOne({ database, write, reader, stop }: Polling, group: DueUpstream[]): Promise<void> {
  const [{ pageId, etag, lastModified, leasedAt: now, ...first }] = group as [DueUpstream];
  // An answer that nothing has changed says something only about the answer that all of them have.
  const isSame = group.every(one => one.etag === etag && one.lastModified === lastModified && one.failures === 0);
  const answer = await reader.read(first, isSame ? { etag, lastModified } : { etag: null, lastModified: null }, stop);
  // A request that was ended says nothing about the upstream, which is due again when the lease ends.
  if (stop?.aborted) return;
  const results = group.map(upstream => ({ upstream, ...evaluate(upstream, answer, now) }));
  const statuses = new Map(results.flatMap(({ upstream, status }) => (status ? [[upstream.id, status] as const] : [])));
  const current = await database.query<{ id: number; status: UpstreamStatus }>(
    'select id, state as status from upstream where id = any($1::integer[])',
    [[...statuses.keys()]],
  );
  // Usually nothing has changed, and the page is not locked.
  if (current.some(({ id, status }) => statuses.get(id) !== status))
    await storeUpstreamStatuses(write, pageId, statuses);
  const retryAfterMs = answer.kind === 'failed' ? readRetryAfterMs(answer.retryAfter, now) : 0;
  const nextMs =
    answer.kind === 'failed'
      ? nextAfterFailureMs(Math.max(...results.map(({ failures }) => failures)), retryAfterMs, Math.random())
      : nextAfterAnswerMs(answer.cacheControl, Math.random());
  const validators = answer.kind === 'unchanged' ? { etag, lastModified } : answer.kind === 'read' ? answer : null;
  await database.query(
    `update upstream u set failures = r.failures, failure = r.failure,
       answered_at = case when r.failures = 0 then clock_timestamp() else u.answered_at end,
       etag = $4, last_modified = $5, next_poll_at = clock_timestamp() + $6 * interval '1 millisecond'
     from unnest($1::integer[], $2::integer[], $3::text[]) r (id, failures, failure) where u.id = r.id`,
    [
      results.map(({ upstream }) => upstream.id),
      results.map(({ failures }) => failures),
      results.map(({ failure }) => failure),
      validators?.etag ?? null,
      validators?.lastModified ?? null,
      Math.round(nextMs),
    ],
  );
}

interface Evaluation {
  failures: number;
  failure: string | null;
  /** Null: it stays as it is. */
  status: UpstreamStatus | null;
}

/** What an answer says about one component. One that the status page has no more is not known. */
function evaluate(upstream: DueUpstream, answer: UpstreamAnswer, now: Date): Evaluation {
  if (answer.kind === 'unchanged') return { failures: 0, failure: null, status: null };
  const found = answer.kind === 'read' && answer.components.find(({ id }) => id === upstream.remoteId);
  if (found) return { failures: 0, failure: null, status: found.status };
  const failures = upstream.failures + 1;
  const failure = answer.kind === 'failed' ? answer.reason : 'The component no longer exists there.';
  return { failures, failure, status: isSilent({ ...upstream, failures }, now) ? 'unknown' : null };
}

export const createUpstreamTask = (database: Database, reader: UpstreamReader): BackgroundTask => ({
  name: 'the polling of upstreams',
  intervalMs: 5_000,
  roundSeconds: 150,
  failureMessage: 'other status pages could not be read',
  run: stop => pollUpstreams(database, reader, stop),
});
