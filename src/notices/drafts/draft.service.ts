import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { isStorable } from '../../core/validation.js';
import { query } from '../../db/prepared-statements.js';
import { Notice } from '../notice.entity.js';
import type { SavedNotice } from '../notice.service.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { findVerb } from '../../notifications/preview/preview.verbs.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { Draft } from './draft.entity.js';
import type { InputFormat } from './input-format.js';
import { type Confirmation, type PreparedChange, writeChange } from '../../notifications/preview/write-change.js';

/** In characters of JSON: a text of 65,535 characters, and the other fields. */
const maxLength = 100_000;
const maxDrafts = 200;

/** Of a draft that is published by hand. */
export const clearedSchedule = { publishAt: null, previewHash: null, schedulerKey: null, failure: null };

/** Saves a new draft, or replaces the one with this id. The input may be incomplete or invalid: it is checked later. */
export function saveDraft(
  write: Writer,
  format: InputFormat,
  pageId: string,
  id: string | null | undefined,
  versions: number[] | null | undefined,
  { noticeId, input }: PreparedChange,
): Promise<string> {
  const verb = findVerb(input, noticeId);
  if (versions && id == null) throw invalid({ ifVersion: [problems.notApplicable('must be omitted for a new draft')] });
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const draft = id == null ? null : await unit.find<Draft>(pageRecordPath(pageId, Draft, id), versions);
    const notice = noticeId == null ? null : await findNotice(unit, pageId, noticeId);
    refuseTimesWithoutOffset(input[verb]!, page.timezoneName, unit.validation);
    const json = format.toJson(input);
    checkJson(unit, json);
    unit.validation.throwIfInvalid();
    const values = { notice, verb, change: json, authorKey: unit.actor };
    const saved = draft ? Object.assign(draft, values, clearedSchedule) : await createDraft(unit, page, values);
    await unit.save();
    return String(saved.id);
  });
}

/** Half a surrogate pair and NUL are valid in JSON, and cannot be stored. */
function checkJson({ validation }: Unit, json: object): void {
  let canBeStored = true;
  const text = JSON.stringify(json, (_, value: unknown) => {
    if (typeof value === 'string') canBeStored &&= isStorable(value);
    return value;
  });
  if (!canBeStored) validation.addError('input', problems.invalid('must not contain NUL or half a surrogate pair'));
  else if (text.length > maxLength) validation.addError('input', problems.tooLong(maxLength));
}

export async function createDraft(
  unit: Unit,
  page: Page,
  values: Pick<Draft, 'notice' | 'verb' | 'change' | 'authorKey'>,
): Promise<Draft> {
  const [row] = await query<{ count: number }>(
    unit.em,
    'select count(*)::integer as count from draft where page_id = $1',
    [page.id],
  );
  if (row!.count >= maxDrafts)
    throw invalid({
      input: [problems.outOfRange(`cannot be saved: a page has at most ${maxDrafts} drafts. Delete some first`)],
    });
  return unit.create(Draft, { page, ...values });
}

const findNotice = (unit: Unit, pageId: string, id: string): Promise<Notice> =>
  unit.find<Notice>(pageRecordPath(pageId, Notice, id));

export function deleteDraft(write: Writer, pageId: string, id: string, versions?: number[] | null): Promise<string> {
  return write.transaction(async unit => {
    unit.em.remove(await unit.find<Draft>(pageRecordPath(pageId, Draft, id), versions));
    await unit.save();
    return id;
  });
}

export function loadDraft(write: Writer, format: InputFormat, pageId: string, id: string): Promise<PreparedChange> {
  return write.readOnly(async unit => toValues(format, await unit.find<Draft>(pageRecordPath(pageId, Draft, id))));
}

export const toValues = (format: InputFormat, draft: Draft): PreparedChange => ({
  noticeId: draft.notice && String(draft.notice.id),
  input: format.parse(draft.change),
});

export function publishDraft(
  write: Writer,
  format: InputFormat,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  confirmation: Confirmation,
): Promise<SavedNotice> {
  return write.transaction(async unit => {
    const draft = await unit.find<Draft>(pageRecordPath(pageId, Draft, id), versions);
    return publishInTransaction(unit, format, pageId, draft, confirmation);
  });
}

/** Of alerts of which the draft was made, the notice is that of the draft. */
const linkAlertsSql = 'update alert_group set notice_id = $2 where latest_draft_id = $1';

/** Writes the change of a draft and deletes the draft. */
export const publishInTransaction = (
  unit: Unit,
  format: InputFormat,
  pageId: string,
  draft: Draft,
  confirmation: Confirmation,
): Promise<SavedNotice> => writeInPlaceOf(unit, pageId, draft, toValues(format, draft), confirmation);

/** Writes a change and deletes its draft, which may have been changed since. One that is gone was published before. */
export async function publishContinued(
  unit: Unit,
  pageId: string,
  draftId: string,
  change: PreparedChange,
  confirmation: Confirmation,
): Promise<SavedNotice> {
  const draft = await unit.find<Draft>(pageRecordPath(pageId, Draft, draftId));
  return writeInPlaceOf(unit, pageId, draft, change, confirmation);
}

async function writeInPlaceOf(
  unit: Unit,
  pageId: string,
  draft: Draft,
  change: PreparedChange,
  confirmation: Confirmation,
): Promise<SavedNotice> {
  const { id } = draft;
  unit.em.remove(draft);
  await unit.save();
  const saved = await writeChange(unit, pageId, change, confirmation);
  await query(unit.em, linkAlertsSql, [id, saved.recordId]);
  return saved;
}
