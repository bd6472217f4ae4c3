import { z } from 'zod';
import { createLinkToken } from '../../../core/ids.js';
import { createNoticePath, createSubject, createSynopsis } from '../../../notices/notice-text.rules.js';
import { type NoticeState, noticeTypes, statesByType } from '../../../notices/notice.states.js';
import { findTimeZoneName } from '../../../pages/time-zone-names.js';
import { createRecordSchema, schemaOf } from '../../archive/kind.js';
import { kinds } from '../../archive/kinds.js';
import { UnusableRow } from '../convert-rows.js';
import type { LeftOut } from '../imported-page.js';
import { type Answers, readRaw } from '../source.js';
import { updateShape, type V1Notice, type V1Page, type V1Subscriber } from '../sources/v1-shapes.js';

export type Row = Record<string, unknown>;

/** A record as the archive takes it. Fields that `/v1` does not have are those of a new record. */
export function requireRecord(name: string, row: Row): Row {
  const kind = kinds[name]!;
  const given = Object.keys(kind.fields).flatMap(field =>
    row[field] === undefined ? [] : [[field, row[field]] as const],
  );
  const { success, data, error } = createRecordSchema(kind).safeParse(Object.fromEntries(given));
  if (success) return data;
  const { path, message } = error.issues[0]!;
  throw new UnusableRow(`\`${path.join('.')}\`: ${message}`);
}

const toText = (time: Date): string => time.toISOString();
const toOptionalText = (time: Date | null | undefined): string | null => (time ? toText(time) : null);

export const stamp = ({ created_at, updated_at }: { created_at: Date; updated_at?: Date | null }): Row => ({
  created_at: toText(created_at),
  updated_at: toText(updated_at ?? created_at),
});

/** Settings that are not valid here are those of a new page. */
export function toPage(page: V1Page, leftOut: LeftOut[], linkKey: string): Row {
  const { created_at: _createdAt, updated_at: _updatedAt, ...others } = page;
  const given: Row = { ...others, timezone: findTimeZoneName(page.timezone ?? '') ?? page.timezone };
  const settings = Object.entries(given).filter(([name, value]) => {
    const isValid = schemaOf(kinds.pages!.fields[name]!).safeParse(value).success;
    if (!isValid && value != null)
      leftOut.push({ kind: 'setting', sourceId: name, reason: `is not valid here: ${value}` });
    return isValid;
  });
  return requireRecord('pages', {
    ...Object.fromEntries(settings),
    ...stamp(page),
    id: page.id,
    name: page.name,
    visible_to_search: page.visible_to_search ?? true,
    visibility: 'public',
    access_version: 0,
    disabled_channels: [],
    change_count: 1,
    email_domains: [],
    email_domain_versions: [],
    link_key: linkKey,
  });
}

/** A colour that is not valid here is that of a new page. */
export function readBrand(answers: Answers, pageId: string): Row[] {
  const brand = readRaw(answers, 'brand') as Row | undefined;
  if (!brand) return [];
  const colours = Object.entries(brand).filter(([name, value]) => {
    const field = name.startsWith('color_') ? kinds.brands!.fields[name] : undefined;
    return field && schemaOf(field).safeParse(value).success;
  });
  const created = z.coerce.date().safeParse(brand.created_at);
  const updated = z.coerce.date().safeParse(brand.updated_at);
  if (!created.success || brand.created_at === null) return [];
  const times = stamp({ created_at: created.data, updated_at: updated.data });
  return [requireRecord('brands', { page_id: pageId, ...times, ...Object.fromEntries(colours) })];
}

const linkPattern = /\/notices\/([a-z0-9]{16}(?:-[a-z0-9-]{1,100})?)$/;

/** Nobody is notified of it, and it begins and ends by itself as it would have. Its updates have no states. */
export function toNotice(notice: V1Notice): Row {
  const { id, type, begins_at, ends_at, updates } = notice;
  const state = type === 'general' ? null : (notice.state as NoticeState);
  if (type !== 'general' && !statesByType[type].includes(state!))
    throw new UnusableRow('has a state that notices of its type do not have');
  if (type === 'planned' && !(begins_at && ends_at)) throw new UnusableRow('has no window');
  const texts = updates.flatMap(update => updateShape.safeParse(update).data ?? []).sort(byTime);
  const subject = notice.subject?.trim() || createSubject(texts[0]?.content ?? '');
  const isAutomatic = type === 'planned' && (notice.should_automate_schedule ?? false);
  return {
    ...stamp(notice),
    id: Number(id),
    type,
    subject,
    synopsis: createSynopsis(texts[0]?.content ?? null),
    state,
    begins_at: toOptionalText(type === 'planned' ? begins_at : null),
    ends_at: toOptionalText(type === 'planned' ? ends_at : null),
    began_at: toOptionalText(notice.began_at),
    ended_at: toOptionalText(notice.ended_at),
    should_automate_schedule: isAutomatic,
    begin_armed: isAutomatic && state === 'scheduled',
    complete_armed: isAutomatic && (state === 'scheduled' || state === 'underway'),
    last_should_publish: false,
    path: linkPattern.exec(notice.link ?? '')?.[1] ?? createNoticePath(createLinkToken(), subject),
    tag_list: notice.tag_list ?? [],
    named_components: notice.components.length > 0,
    last_update_at: toOptionalText(texts.at(-1)?.created_at),
    owner: null,
  };
}

const byTime = (one: { created_at: Date }, other: { created_at: Date }) =>
  one.created_at.getTime() - other.created_at.getTime();

export const toUpdate = (update: z.infer<typeof updateShape>, noticeId: unknown): Row => ({
  ...stamp(update),
  id: Number(update.id),
  notice_id: noticeId,
  content: update.content,
  should_publish: update.should_publish ?? false,
  posted_at: toText(update.created_at),
});

export const toSubscriber = (subscriber: V1Subscriber): Row => ({
  ...stamp(subscriber),
  id: Number(subscriber.id),
  email: subscriber.email || null,
  phone_number: subscriber.phone_number || null,
  first_name: subscriber.first_name ?? null,
  last_name: subscriber.last_name ?? null,
  nickname: subscriber.nickname ?? null,
  company: subscriber.company ?? null,
  tag_list: subscriber.tag_list ?? [],
  chose_components: subscriber.components.length > 0,
  confirmed_at: toText(subscriber.created_at),
  consent_source: '/v1 import',
  unsubscribed_at: null,
  kinds: [...noticeTypes],
  link_version: 1,
});

/** Parents before their children. A component whose parent is missing, or in a circle, is one of the page itself. */
export function sortByDepth(rows: Row[]): Row[] {
  const ids = new Set(rows.map(({ id }) => id));
  const byParent = Map.groupBy(rows, ({ parent_id }) => (ids.has(parent_id) ? parent_id : null));
  const sorted = new Map<unknown, Row>();
  const addBelow = (parentId: unknown) => {
    const level = [parentId];
    for (const id of level)
      for (const row of byParent.get(id) ?? [])
        if (!sorted.has(row.id)) {
          sorted.set(row.id, { ...row, parent_id: id });
          level.push(row.id);
        }
  };
  addBelow(null);
  for (const row of rows)
    if (!sorted.has(row.id)) {
      sorted.set(row.id, { ...row, parent_id: null });
      addBelow(row.id);
    }
  return [...sorted.values()];
}
