import { serviceOrigin } from '../../db/audit.js';
import { recomputeComponentStates } from '../../components/component-states.service.js';
import type { Database } from '../../db/database.js';
import { nextDraftSql, publishDueDrafts, type SchedulerSettings } from '../drafts/draft.automation.js';
import type { InputFormat } from '../drafts/input-format.js';
import { query } from '../../db/prepared-statements.js';
import { changesChannel } from '../../db/change-feed.js';
import { idleMs, WorkLoop } from '../../db/work-loop.js';
import type { Unit } from '../../records/unit.js';
import { Writer } from '../../records/writer.js';
import { Notice } from '../notice.entity.js';
import { publish, publishReminder } from '../../notifications/publish.service.js';
import { Page } from '../../pages/page.entity.js';
import { enterState, isOpen } from '../notice.states.js';
import { reminderHoursSql, reminders } from '../../pages/reminder.js';
import { openDeadlineSql, remindOfDueUpdates } from '../next-update/deadline.automation.js';
import { nextStaleSql, remindOfStaleNotices } from '../next-update/stale.automation.js';
import { markUpdated } from '../next-update/stale.rules.js';
import { recordDeadline } from '../next-update/deadline.service.js';
import { publishedSql } from '../../notifications/published.js';
import { nextOccurrenceSql, planDueOccurrences } from '../recurrence/recurrence.automation.js';
import { runEach, takeTurnsSql } from '../../db/run-each.js';

/** Due by the clock of the database, so that a process with a wrong clock never acts early. */
const dueSql = `((n.begin_armed and n.begins_at <= clock_timestamp())
  or (n.complete_armed and n.ends_at <= clock_timestamp()))`;

/** Notices of a page per transaction: few, since on the embedded database all others wait for it. */
const batchSize = 5;

/**
 * Advances the planned notices that are due, of each page one batch, so that hundreds on one page do not delay those of
 * others: to underway at the start of the window, to complete at the end, and both in order if both are past. Returns
 * how many notices changed: as long as it is not 0, more may be due.
 * Any number of processes may call it: each locks the page and reads the due notices again under the lock.
 */
export async function advanceDueNotices(database: Database, onItem?: () => void): Promise<number> {
  const due = await database.query<{ page: string }>(
    `select n.page_id as page from notice n where ${dueSql}
     group by n.page_id order by min(least(n.begins_at, n.ends_at)) limit 100`,
  );
  return runEach(database.log, due, ({ page }) => advancePageNotices(database, page), onItem);
}

async function advancePageNotices(database: Database, pageId: string): Promise<number> {
  const runBatch = (id?: number) =>
    new Writer(database, {
      actor: 'automation',
      origin: serviceOrigin('automation', 'advanceNotices'),
    }).lockingTransaction(unit => advanceBatch(unit, pageId, id));
  try {
    return await runBatch();
  } catch {
    // One failure rolls back its batch, so each notice is tried again in a transaction of its own.
    const due = await database.query<{ id: number }>(`select n.id from notice n where n.page_id = $1 and ${dueSql}`, [
      pageId,
    ]);
    return runEach(database.log, due, ({ id }) => runBatch(id));
  }
}

/** Advances a batch of due notices, or one. */
async function advanceBatch(unit: Unit, pageId: string, id: number | null = null): Promise<number> {
  if (!(await unit.lock(Page, pageId))) return 0;
  const due = await query<{ id: number }>(
    unit.em,
    `select n.id from notice n where n.page_id = $1 and ($2::integer is null or n.id = $2) and ${dueSql}
     order by least(n.begins_at, n.ends_at), n.id limit $3 for no key update`,
    [pageId, id, batchSize],
  );
  const notices = new Map(
    (await unit.em.find(Notice, { id: { $in: due.map(notice => notice.id) } })).map(notice => [notice.id, notice]),
  );
  let advanced = 0;
  for (const { id } of due) if (await advanceNotice(unit, notices.get(id)!)) advanced += 1;
  return advanced;
}

async function advanceNotice(unit: Unit, notice: Notice): Promise<boolean> {
  let isAdvanced = false;
  // Each state change is published on its own.
  if (notice.beginArmed && notice.beginsAt! <= unit.now) {
    notice.beginArmed = false;
    isAdvanced = await changeStateIfStill(unit, notice, 'underway');
  }
  if (notice.completeArmed && notice.endsAt! <= unit.now) {
    notice.completeArmed = false;
    isAdvanced = (await changeStateIfStill(unit, notice, 'complete')) || isAdvanced;
  }
  // The window of a notice ended that an operator had set back to scheduled. The state stays,
  // so only the flag is stored and the version does not change.
  if (!isAdvanced) await unit.save();
  return isAdvanced;
}

async function changeStateIfStill(unit: Unit, notice: Notice, to: 'underway' | 'complete'): Promise<boolean> {
  const { state, beginsAt, endsAt, silentUntil } = notice;
  if (state !== (to === 'underway' ? 'scheduled' : 'underway')) return false;
  const isSilent = silentUntil !== null && (to === 'underway' ? beginsAt! : endsAt!) <= silentUntil;
  Object.assign(notice, enterState(to, notice, unit.now));
  markUpdated(notice, unit.actor, unit.now);
  const deadline = isOpen(to) || !notice.nextUpdateBy ? null : { dueAt: null };
  if (deadline) notice.nextUpdateBy = null;
  await unit.save();
  await recordDeadline(unit, notice, deadline);
  const named = (await notice.components.loadItems()).map(component => component.id);
  await recomputeComponentStates(unit.em, notice.page.id, named);
  if (notice.lastShouldPublish && !isSilent) await publish(unit, notice, { state, beginsAt, endsAt }, null);
  return true;
}

const maxLeadHours = Math.max(...Object.values(reminders).map(Number));
const leadSql = `${reminderHoursSql('coalesce(n.reminder, p.reminder)')} * interval '1 hour'`;

/**
 * A reminder is due if nothing about the notice was published since its time came, the reminder itself included:
 * so each is published once, and never after other news of the maintenance. A moved window or another lead time
 * has a new time, and so a new reminder.
 */
const reminderDueSql = `n.state = 'scheduled' and n.last_should_publish and n.begins_at > clock_timestamp()
  and n.begins_at - ${leadSql} <= clock_timestamp()
  and not exists (
    select 1 ${publishedSql('n.id')} and pub.created_at >= n.begins_at - ${leadSql})`;

/** Publishes every reminder that is due. Returns how many. */
export async function publishDueReminders(database: Database, onItem?: () => void): Promise<number> {
  const due = await database.query<{ id: number; page: string }>(
    takeTurnsSql(
      'id, page',
      `select n.id, n.page_id as page, n.begins_at as due_at from notice n join page p on p.id = n.page_id
       where n.begins_at < clock_timestamp() + interval '${maxLeadHours} hours' and ${reminderDueSql}`,
    ),
  );
  const publishOne = async ({ id, page }: { id: number; page: string }) =>
    (await new Writer(database, { origin: serviceOrigin('automation', 'remind') }).transaction(unit =>
      publishReminderIfDue(unit, page, id),
    ))
      ? 1
      : 0;
  return runEach(database.log, due, publishOne, onItem);
}

async function publishReminderIfDue(unit: Unit, pageId: string, id: number): Promise<boolean> {
  if (!(await unit.lock(Page, pageId))) return false;
  const [due] = await query(
    unit.em,
    `select 1 from notice n join page p on p.id = n.page_id where n.id = $1 and ${reminderDueSql}`,
    [id],
  );
  if (!due) return false;
  await publishReminder(unit, await unit.em.findOneOrFail(Notice, { id }));
  return true;
}

/** When the next of them is due. Those whose time has passed failed, and are tried again. */
const nextSql = `select extract(epoch from least(
  (select min(begins_at) from notice where begin_armed),
  (select min(ends_at) from notice where complete_armed),
  (select min(n.begins_at - ${leadSql}) from notice n join page p on p.id = n.page_id
   where n.state = 'scheduled' and n.last_should_publish and n.begins_at - ${leadSql} > clock_timestamp()
     and n.begins_at < clock_timestamp() + interval '${maxLeadHours + 1} hours'),
  (select min(due_at) from next_update_deadline where ${openDeadlineSql}),
  (${nextStaleSql}),
  (${nextDraftSql}),
  (${nextOccurrenceSql})
) - clock_timestamp())::float8 * 1000 as "nextInMs"`;

/** As often as changes of pages wake it: they may have planned something. */
const minIntervalMs = 250;

/**
 * Advances notices, plans occurrences, and publishes reminders and drafts when they are due. `onProgress` is called
 * after each item and each round, also after items that failed: one notice does not make the automation look stopped.
 * Returns a function that stops it.
 */
export function startNoticeAutomation(
  database: Database,
  draftFormat: InputFormat,
  settings: SchedulerSettings,
  onProgress: () => void = () => {},
): () => Promise<void> {
  const work = async () => {
    await advanceDueNotices(database, onProgress);
    await publishDueReminders(database, onProgress);
    await remindOfDueUpdates(database, onProgress);
    await remindOfStaleNotices(database, onProgress);
    await planDueOccurrences(database, onProgress);
    await publishDueDrafts(database, draftFormat, settings, onProgress);
    onProgress();
    const [row] = await database.query<{ nextInMs: number | null }>(nextSql);
    return row!.nextInMs ?? idleMs;
  };
  const failureMessage = 'due notices, reminders or drafts could not be read';
  const { log, embedded: rests } = database;
  const loop = new WorkLoop(work, { failureMessage, log, minIntervalMs, rests });
  database.changes.on('committed', loop.wake);
  const listening = database.listen(changesChannel, loop.wake);
  return async () => {
    database.changes.off('committed', loop.wake);
    listening.stop();
    await loop.stop();
  };
}
