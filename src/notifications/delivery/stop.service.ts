import { query } from '../../db/prepared-statements.js';
import type { RecordPath } from '../../records/record-path.js';
import type { Writer } from '../../records/writer.js';
import { Publication } from '../publication.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';

/** How many of its deliveries were sent, and how many a worker had leased and has not reported. */
interface Counts {
  sentCount: number;
  sendingCount: number;
}

export interface StoppedPublication extends Counts {
  pageId: string;
  id: string;
}

/** A worker sends or releases what it has leased within about two seconds, unless a server does not answer. */
const maxWaitMs = 10_000;
const pollIntervalMs = 50;

/**
 * Waits for the leases and the fan-out that hold the publication; later ones see that it is stopped. What no worker has
 * leased is skipped by skip-stopped.ts.
 */
const stopSql = `
  with locked as materialized (select id from publication where id = $1 for update)
  update publication set stopped_at = coalesce(stopped_at, clock_timestamp())
  from locked where publication.id = locked.id returning stopped_at as "stoppedAt"`;

const isSendingSql = `
  select exists (
    select from delivery where state = 'sending' and publication_id = $1 and leased_until > clock_timestamp()
  ) as "isSending"`;

const countSql = `
  select count(*) filter (where state = 'sent')::integer as "sentCount",
    count(*) filter (where state = 'sending' and leased_until > clock_timestamp())::integer as "sendingCount"
  from delivery where publication_id = $1 and state in ('sent', 'sending')`;

/** Stops a publication, and returns when no message of it is on its way any more, or after the longest wait. */
export async function stopPublication(
  write: Writer,
  pageId: string,
  id: string,
  longestWaitMs = maxWaitMs,
): Promise<StoppedPublication> {
  const path: RecordPath = pageRecordPath(pageId, Publication, id);
  await write.transaction(async unit => {
    const publication = await unit.find<Publication>(path);
    const [row] = await query<{ stoppedAt: Date }>(unit.em, stopSql, [publication.id]);
    unit.em.pending.queuesDeliveries = true;
    const before = publication.stoppedAt?.toISOString();
    const after = new Date(row!.stoppedAt).toISOString();
    unit.describeChange('Publication', id, { stoppedAt: { before, after } }, pageId);
  });
  const until = performance.now() + longestWaitMs;
  for (;;) {
    const [row] = await write.readOnly(unit => query<{ isSending: boolean }>(unit.em, isSendingSql, [id]));
    if (!row!.isSending || performance.now() > until) break;
    await new Promise(done => setTimeout(done, pollIntervalMs));
  }
  const [counts] = await write.readOnly(unit => query<Counts>(unit.em, countSql, [id]));
  return { pageId, id, ...counts! };
}
