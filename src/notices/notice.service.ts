import { checkText, isBlank, tags } from '../core/validation.js';
import { type Change, componentsOf, settleStates } from '../components/component.service.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import { text } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { publish } from '../notifications/publish.service.js';
import type { Before } from '../notifications/event.js';
import { linkToken } from '../core/ids.js';
import { changeState, setAutomation, setReminder, setWindow } from './notice.lifecycle.js';
import { Notice } from './notice.entity.js';
import type { CreateNotice, UpdateNotice } from './notice.inputs.js';
import { firstState, type NoticeType } from './notice.states.js';
import { pathOf, tokenOf } from './notice.text.js';
import { addUpdate, rememberPublishing } from './update.service.js';

/** Every write that may move a state locks the page first: the states of its components follow from it. */
export function createNotice(write: Writer, pageId: string, input: CreateNotice): Promise<Change> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const type = (input.type ?? 'unplanned') as NoticeType;
    const notice = unit.create(Notice, { page, type, subject: '', path: linkToken() });
    if (type === 'general') Object.assign(notice, { beganAt: unit.now, endedAt: unit.now });
    setSubject(unit, notice, input.subject);
    setWindow(notice, input, unit.checks);
    changeState(notice, input.state ?? firstState[type], input, unit.now, unit.checks);
    setAutomation(notice, input, unit.checks);
    setReminder(notice, input, unit.checks);
    return finish(unit, notice, null, input, input.initialComment);
  });
}

export function updateNotice(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: UpdateNotice,
): Promise<Change> {
  return write.transaction(async unit => {
    const notice = await locked(unit, pageId, id, versions);
    await notice.components.init();
    const { state, beginsAt, endsAt } = notice;
    if (input.subject !== undefined) setSubject(unit, notice, input.subject);
    changeState(notice, input.state, input, unit.now, unit.checks);
    const moved = setWindow(notice, input, unit.checks);
    setAutomation(notice, input, unit.checks, moved);
    setReminder(notice, input, unit.checks);
    return finish(unit, notice, { state, beginsAt, endsAt }, input, input.additionalComment);
  });
}

export function deleteNotice(write: Writer, pageId: string, id: string, versions?: number[] | null): Promise<Change> {
  return write.transaction(async unit => {
    const notice = await locked(unit, pageId, id, versions);
    const named = await notice.components.loadItems();
    await query(unit.em, 'delete from notice where id = $1', [notice.id]);
    const moved = await settleStates(unit.em, pageId);
    return {
      pageId,
      recordId: notice.id,
      componentIds: [...new Set([...named.map(component => component.id), ...moved])],
    };
  });
}

async function locked(unit: Unit, pageId: string, id: string, versions?: readonly number[] | null): Promise<Notice> {
  await unit.find<Page>([[Page, pageId]]);
  return unit.find<Notice>(
    [
      [Page, pageId],
      [Notice, id],
    ],
    versions,
  );
}

async function finish(
  unit: Unit,
  notice: Notice,
  was: Before | null,
  input: CreateNotice | UpdateNotice,
  comment: string | null | undefined,
): Promise<Change> {
  const pageId = notice.page.id;
  if (input.tagList !== undefined) setTags(unit, notice, input.tagList);
  const before = await setComponents(unit, notice, input.componentIds);
  if (!isBlank(comment))
    checkText(unit.checks, 'initialComment' in input ? 'initialComment' : 'additionalComment', comment!, 65_535);
  unit.checks.pass();
  const isChanged = await unit.save();
  const update = isBlank(comment) ? null : await addUpdate(unit, notice, comment!, input.shouldPublish ?? false);
  await rememberPublishing(unit, notice, input.shouldPublish);
  const moved = await settleStates(unit.em, pageId);
  if (input.shouldPublish && (isChanged || update)) await publish(unit, notice, was, update);
  return {
    pageId,
    recordId: notice.id,
    componentIds: [...new Set([...before, ...notice.components.getIdentifiers<number>(), ...moved])],
  };
}

function setSubject(unit: Unit, notice: Notice, subject: string | null): void {
  if (isBlank(subject)) {
    unit.checks.refuse('subject', text.blank);
    return;
  }
  checkText(unit.checks, 'subject', subject!, 255);
  if (notice.subject === subject) return;
  notice.subject = subject!;
  notice.path = pathOf(tokenOf(notice.path), subject!);
}

function setTags(unit: Unit, notice: Notice, given: readonly string[] | null): void {
  const list = tags(
    unit.checks,
    'tagList',
    (given ?? []).flatMap(item => item.split(',')),
  );
  if (list.join() !== notice.tagList.join()) notice.tagList = list;
}

/** Returns the ids of those it named before. */
async function setComponents(
  unit: Unit,
  notice: Notice,
  given: readonly string[] | null | undefined,
): Promise<number[]> {
  const before = notice.components.isInitialized() ? notice.components.getIdentifiers<number>() : [];
  if (given === undefined) return before;
  const components = await componentsOf(unit.em, notice.page.id, given ?? []);
  if (!components) {
    unit.checks.refuse('componentIds', text.invalid);
    return before;
  }
  const same = components.length === before.length && components.every(({ id }) => before.includes(id));
  if (same && (components.length > 0 || !notice.namedComponents)) return before;
  notice.namedComponents = components.length > 0;
  notice.components.set(components);
  return before;
}
