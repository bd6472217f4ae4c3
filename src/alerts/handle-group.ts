import { describeRefusal } from '../core/errors.js';
import { serviceOrigin } from '../db/audit.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { query } from '../db/prepared-statements.js';
import { Draft } from '../notices/drafts/draft.entity.js';
import { createDraft } from '../notices/drafts/draft.service.js';
import type { InputFormat } from '../notices/drafts/input-format.js';
import { Notice } from '../notices/notice.entity.js';
import { isOpen } from '../notices/notice.states.js';
import { NoticeTemplate } from '../notices/templates/template.entity.js';
import { type PreparedChange, writeChange } from '../notifications/preview/write-change.js';
import { findVerb } from '../notifications/preview/preview.verbs.js';
import { Page } from '../pages/page.entity.js';
import type { Unit } from '../records/unit.js';
import { Writer } from '../records/writer.js';
import { describeGroup } from './alert-text.js';
import {
  type AlertAction,
  beginsAgain,
  decide,
  decideGroup,
  type Decision,
  findLatestStart,
  nextStep,
  type ReportedGroup,
} from './alert.rules.js';
import type { Alert } from './formats/format.js';
import type { ReceivingSource } from './receive.service.js';
import { findStatus, type GroupToHandle, knownGroupSql, setStartSql } from './store-alerts.js';

/** Null: the group needs nothing any more, or nothing could be made of it. */
type Result = 'drafts' | 'published' | null;

interface Group extends ReportedGroup {
  latestDraftId: number | null;
  noticeId: number | null;
}

/** Makes a draft or a notice of a group. Under the lock of the page it is read again: one of many requests acts. */
export async function handleGroup(
  { database, draftFormat }: { database: Database; draftFormat: InputFormat },
  source: ReceivingSource,
  { id, alerts, isReportDue, sinceReportMs }: GroupToHandle,
): Promise<Result> {
  const decision = decideGroup(alerts.map(alert => decide(source.rules, alert)));
  if (!decision) return null;
  const actor = `alerts of ${source.name}`;
  const origin = { ...serviceOrigin('automation', 'receiveAlert'), actorId: actor };
  try {
    return await new Writer(database, { actor, origin }).transaction(unit =>
      handle(unit, draftFormat, source.pageId, {
        id,
        alerts,
        decision,
        storedSinceReportMs: isReportDue ? sinceReportMs : null,
      }),
    );
  } catch (error) {
    const refusal = toRefusal(error);
    if (!refusal || refusal.code === 'UNAVAILABLE') throw error;
    // It stays so until all of its alerts are over: an attempt for each alert would lock the page.
    await database.query(`update alert_group set state = 'open', error = $2 where id = $1`, [
      id,
      describeRefusal(refusal),
    ]);
    return null;
  }
}

interface Handling {
  id: number;
  alerts: readonly Alert[];
  decision: Decision;
  /** `sinceReportMs` when the alerts were stored: a lower one now means that it was reported since. Null: not due. */
  storedSinceReportMs: number | null;
}

async function handle(unit: Unit, format: InputFormat, pageId: string, handling: Handling): Promise<Result> {
  const { id } = handling;
  const page = await unit.lock(Page, pageId);
  const [group] = await query<Group>(
    unit.em,
    `select ${knownGroupSql('g')}, g.latest_draft_id as "latestDraftId", g.notice_id as "noticeId" from alert_group g
     where g.id = $1 for no key update`,
    [id],
  );
  const startsAtMs = findLatestStart(handling.alerts);
  const step = page && group ? nextStep(group, await findStatus(unit.em, id), startsAtMs) : null;
  if (!step) return group?.state === 'open' ? updateDraft(unit, page!, group, handling, startsAtMs) : null;
  const notice = group!.noticeId === null ? null : await unit.em.findOne(Notice, { id: group!.noticeId });
  const isNoticeOpen = notice !== null && isOpen(notice.state);
  const draft = group!.latestDraftId === null ? null : await unit.em.findOne(Draft, { id: group!.latestDraftId });
  await query(unit.em, 'update alert_group set state = $2, error = null where id = $1', [
    id,
    step === 'open' ? 'open' : 'resolved',
  ]);
  if (step === 'resolve') {
    const isOver = isNoticeOpen && !draft && !(await hasOtherGroup(unit, notice));
    return isOver ? resolve(unit, format, page!, notice, handling) : null;
  }
  // The proposal to resolve it is not true any more, whichever of its groups was the last one to end.
  if (isNoticeOpen) await removeDrafts(unit, notice);
  if (isNoticeOpen) return null;
  if (draft) return updateDraft(unit, page!, group!, handling, startsAtMs);
  // The ends of the others were not received.
  if (beginsAgain(group!, startsAtMs)) await forgetOthers(unit, handling);
  return open(unit, format, page!, handling);
}

/** $1: a notice. */
export const openGroupSql = `select 1 from alert_group where notice_id = $1 and state = 'open' limit 1`;

/** Drafts of alerts can be added to the notice of others: it is over when all of them are. */
async function hasOtherGroup({ em }: Unit, notice: Notice): Promise<boolean> {
  const open = await query(em, openGroupSql, [notice.id]);
  return open.length > 0;
}

async function removeDrafts(unit: Unit, notice: Notice): Promise<void> {
  const rows = await query<{ id: number }>(
    unit.em,
    'select d.id from alert_group g join draft d on d.id = g.latest_draft_id where g.notice_id = $1',
    [notice.id],
  );
  for (const { id } of rows) unit.em.remove(await unit.em.findOneOrFail(Draft, { id }));
  await unit.save();
}

const forgetOthers = ({ em }: Unit, { id, alerts }: Handling): Promise<unknown> =>
  query(em, `update alert set status = 'resolved' where group_id = $1 and fingerprint <> all($2)`, [
    id,
    alerts.map(({ fingerprint }) => fingerprint),
  ]);

async function open(unit: Unit, format: InputFormat, page: Page, handling: Handling): Promise<Result> {
  const { id, alerts, decision } = handling;
  const alert = alerts.find(({ status }) => status === 'firing') ?? alerts[0]!;
  const template = await findTemplate(unit, page, decision);
  const hasWords = template?.subject != null;
  await query(
    unit.em,
    `update alert_group set notice_id = null, latest_draft_id = null, title = $2, first_received_at = clock_timestamp(),
       starts_at = to_timestamp($3::float8 / 1000) where id = $1`,
    [id, alert.title, findLatestStart(alerts)],
  );
  const action: AlertAction = decision.action === 'PUBLISH' && hasWords ? 'PUBLISH' : 'DRAFT';
  const hasContent = Boolean(template?.content) || action === 'PUBLISH';
  return act(unit, format, page, id, action, {
    input: {
      openIncident: {
        templateId: template?.id ?? null,
        subject: hasWords ? null : alert.title,
        content: hasContent ? null : (await describeGroup(unit.em, id, alert.text)) || null,
        componentIds: await findExisting(unit, page, decision.componentIds),
        shouldPublish: true,
      },
    },
  });
}

/** Updates the text of an unpublished draft, and has it reported again if that is due. */
async function updateDraft(
  unit: Unit,
  page: Page,
  group: Group,
  handling: Handling,
  startsAtMs: number | null,
): Promise<null> {
  const { id, storedSinceReportMs } = handling;
  if (startsAtMs !== null) await query(unit.em, setStartSql, [id, startsAtMs]);
  // A concurrent request may have reported it since the alerts were stored.
  if (storedSinceReportMs !== null && group.sinceReportMs >= storedSinceReportMs)
    await query(unit.em, reportAgainSql, [id]);
  return follow(unit, page, group, handling);
}

const reportAgainSql = `
  update alert_group set first_received_at = clock_timestamp(), reported_draft_id = null, pushed_draft_id = null
  where id = $1`;

/** Has a draft that nobody has saved or scheduled name the alerts that fire now. */
async function follow(unit: Unit, page: Page, { latestDraftId }: Group, { id, alerts }: Handling): Promise<null> {
  const draft = latestDraftId === null ? null : await unit.em.findOne(Draft, { id: latestDraftId, page: page.id });
  const opening = draft?.change.openIncident as { content?: string } | undefined;
  if (!draft || !opening?.content || draft.authorKey !== unit.actor || draft.publishAt) return null;
  const firing = alerts.find(({ status }) => status === 'firing');
  const content = await describeGroup(unit.em, id, firing?.text ?? opening.content);
  if (content === opening.content) return null;
  draft.change = { openIncident: { ...opening, content } };
  await unit.save();
  return null;
}

const resolve = (unit: Unit, format: InputFormat, page: Page, notice: Notice, { id, decision }: Handling) =>
  act(unit, format, page, id, decision.shouldResolve ? 'PUBLISH' : 'DRAFT', {
    noticeId: String(notice.id),
    input: { advanceNotice: { state: 'resolved', shouldPublish: true } },
  });

async function act(
  unit: Unit,
  format: InputFormat,
  page: Page,
  groupId: number,
  action: AlertAction,
  change: PreparedChange,
): Promise<Result> {
  if (action === 'PUBLISH') {
    const { recordId } = await writeChange(unit, page.id, change, { shouldPublish: true });
    await query(unit.em, 'update alert_group set notice_id = $2 where id = $1', [groupId, recordId]);
    return 'published';
  }
  const { noticeId, input } = change;
  const draft = await createDraft(unit, page, {
    notice: noticeId == null ? null : unit.em.getReference(Notice, Number(noticeId)),
    verb: findVerb(input, noticeId),
    change: format.toJson(input),
    authorKey: unit.actor,
  });
  await unit.save();
  await query(unit.em, 'update alert_group set latest_draft_id = $2 where id = $1', [groupId, draft.id]);
  return 'drafts';
}

/** Rules may name what was deleted since. */
const findTemplate = ({ em }: Unit, page: Page, { templateId }: Decision): Promise<NoticeTemplate | null> =>
  templateId === null ? Promise.resolve(null) : em.findOne(NoticeTemplate, { id: templateId, page: page.id });

/** Null leaves the components to the template. */
async function findExisting({ em }: Unit, page: Page, ids: readonly string[]): Promise<string[] | null> {
  if (!ids.length) return null;
  const rows = await query<{ id: string }>(
    em,
    'select id::text from component where page_id = $1 and id = any($2::integer[]) order by id',
    [page.id, ids.map(Number)],
  );
  return rows.map(({ id }) => id);
}
