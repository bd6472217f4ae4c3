import { findGrants } from '../../auth/token.service.js';
import { hasRole, roleOn } from '../../auth/roles.js';
import type { Settings } from '../../core/config.js';
import { describeRefusal, Refusal } from '../../core/errors.js';
import { delegatedOrigin } from '../../db/audit.js';
import type { Database } from '../../db/database.js';
import { toRefusal } from '../../db/database-errors.js';
import { query } from '../../db/prepared-statements.js';
import { runEach, takeTurnsSql } from '../../db/run-each.js';
import { ignoreAudience } from '../../notifications/preview-hash.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Unit } from '../../records/unit.js';
import { Writer } from '../../records/writer.js';
import { Draft } from './draft.entity.js';
import { publishInTransaction, clearedSchedule } from './draft.service.js';
import type { InputFormat } from './input-format.js';

interface DueDraft {
  id: string;
  pageId: string;
  schedulerKey: string;
}

/** What decides whether the token BOOTSTRAP_TOKEN is still valid. */
export type SchedulerSettings = Pick<Settings, 'bootstrapToken'>;

/** SQL: when the next draft is due. */
export const nextDraftSql = 'select min(publish_at) from draft';

/** By the clock of the database, so that a process with a wrong clock never publishes early. */
const dueSql = 'publish_at <= clock_timestamp()';

/**
 * Publishes the drafts that are due, each in the name of who scheduled it. One that cannot be published as it was
 * previewed stays a draft, and says why. Returns how many were published. Any number of processes may call it: each
 * locks the page and reads the draft again under the lock.
 */
export async function publishDueDrafts(
  database: Database,
  format: InputFormat,
  settings: SchedulerSettings,
  onItem?: () => void,
): Promise<number> {
  const due = await database.query<DueDraft>(
    takeTurnsSql(
      'id::text, page as "pageId", scheduler_key as "schedulerKey"',
      `select id, page_id as page, publish_at as due_at, scheduler_key from draft where ${dueSql}`,
    ),
  );
  return runEach(database.log, due, draft => publishOrEnd(database, format, settings, draft), onItem);
}

async function publishOrEnd(
  database: Database,
  format: InputFormat,
  settings: SchedulerSettings,
  due: DueDraft,
): Promise<number> {
  const run = (operation: string, work: (unit: Unit, draft: Draft) => Promise<void>) =>
    new Writer(database, {
      actor: due.schedulerKey,
      origin: delegatedOrigin(due.schedulerKey, operation),
    }).transaction(async unit => {
      const draft = await findIfDue(unit, due);
      if (draft) await work(unit, draft);
      return draft ? 1 : 0;
    });
  try {
    return await run('publishScheduledDraft', (unit, draft) =>
      publishScheduled(unit, format, settings, due.pageId, draft),
    );
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal?.code === 'UNAVAILABLE') throw error;
    if (!refusal) database.log.error({ err: error, draft: due.id }, 'a scheduled draft could not be published');
    await run('endSchedule', async (unit, draft) => {
      const failure = refusal ? describeRefusal(refusal) : 'An internal error occurred.';
      Object.assign(draft, { ...clearedSchedule, schedulerKey: due.schedulerKey, failure });
      await unit.save();
    });
    return 0;
  }
}

/** Null if it was published, cancelled or scheduled again since it was read. */
async function findIfDue(unit: Unit, { id, pageId, schedulerKey }: DueDraft): Promise<Draft | null> {
  if (!(await unit.lock(Page, pageId))) return null;
  const isDue = `select 1 from draft where id = $1 and scheduler_key = $2 and ${dueSql}`;
  const [due] = await query(unit.em, isDue, [Number(id), schedulerKey]);
  return due ? unit.find<Draft>(pageRecordPath(pageId, Draft, id)) : null;
}

async function publishScheduled(
  unit: Unit,
  format: InputFormat,
  settings: SchedulerSettings,
  pageId: string,
  draft: Draft,
): Promise<void> {
  const grants = await findGrants(unit.em, settings, unit.actor);
  if (!grants || !hasRole(roleOn(grants, pageId), 'publisher'))
    throw new Refusal('FORBIDDEN', 'Who scheduled it may no longer publish on this page.');
  const previewHash = ignoreAudience(draft.previewHash!);
  await publishInTransaction(unit, format, pageId, draft, { shouldPublish: true, previewHash });
}
