import { z } from 'zod';
import { createLinkToken } from '../../../core/ids.js';
import { snakeCase } from '../../../core/snake-case.js';
import { createNoticePath, createSubject, createSynopsis } from '../../../notices/notice-text.rules.js';
import { type NoticeState, statesByType } from '../../../notices/notice.states.js';
import { defaultColours } from '../../../pages/branding/colour.js';
import { findTimeZoneName } from '../../../pages/time-zone-names.js';
import { createRecordSchema, schemaOf } from '../../archive/kind.js';
import { kinds } from '../../archive/kinds.js';
import { UnusableRow } from '../convert-rows.js';
import type { LeftOut } from '../imported-page.js';
import { type Answers, readRaw } from '../source.js';
import { updateShape, type V1Notice, type V1Page, type V1Subscriber } from '../sources/v1-shapes.js';

export type Row = Record<string, unknown>;

/** A record as the archive takes it, whose fields have the order of its kind and no others. */
export function requireRecord(name: string, row: Row): Row {
  const kind = kinds[name]!;
  const record = Object.fromEntries(Object.keys(kind.fields).map(field => [field, row[field]]));
  const { success, data, error } = createRecordSchema(kind).safeParse(record);
  if (success) return data;
  const { path, message } = error.issues[0]!;
  throw new UnusableRow(`\`${path.join('.')}\`: ${message}`);
}

const toText = (time: Date): string => time.toISOString();
const toOptionalText = (time: Date | null | undefined): string | null => (time ? toText(time) : null);

export const stamp = ({ created_at, updated_at }: { created_at: Date; updated_at?: Date | null }): Row => ({
  created_at: toText(created_at),
  updated_at: toText(updated_at ?? created_at),
  version: 1,
});

/** Settings that are not valid here are those of a new page. */
export function toPage(page: V1Page, leftOut: LeftOut[], linkKey: string): Row {
  const { created_at: _createdAt, updated_at: _updatedAt, ...others } = page;
  const defaults: Row = {
    timezone: 'UTC',
    visible_to_search: true,
    timeline_threshold: 259_200,
    timeline_sort_order: 'asc',
    locale: 'en',
  };
  const given: Row = { ...others, timezone: findTimeZoneName(page.timezone ?? '') ?? page.timezone };
  const settings = Object.entries(kinds.pages!.fields).map(([name, field]) => {
    const fallback = defaults[name] ?? null;
    const value = given[name] ?? fallback;
    if (schemaOf(field).safeParse(value).success) return [name, value] as const;
    if (name in given) leftOut.push({ kind: 'setting', sourceId: name, reason: `is not valid here: ${value}` });
    return [name, fallback] as const;
  });
  return requireRecord('pages', {
    ...Object.fromEntries(settings),
    ...stamp(page),
    id: page.id,
    name: page.name,
    disabled_channels: [],
    reminder: 'none',
    change_count: 1,
    show_uptime: true,
    show_response_statistics: false,
    hold_seconds: 10,
    stale_after_minutes: 120,
    send_monthly_report: false,
    visibility: 'public',
    email_domains: [],
    email_domain_versions: [],
    access_version: 0,
    link_key: linkKey,
  });
}

/** A colour that is not valid here is that of a new page. */
export function readBrand(answers: Answers, pageId: string): Row[] {
  const brand = readRaw(answers, 'brand') as Row | undefined;
  if (!brand) return [];
  const colours = Object.entries(defaultColours).map(([property, colour]) => {
    const name = snakeCase(property);
    const isValid = schemaOf(kinds.brands!.fields[name]!).safeParse(brand[name]).success;
    return [name, isValid ? brand[name] : colour] as const;
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
    reminder: null,
    next_update_by: null,
    last_update_at: toOptionalText(texts.at(-1)?.created_at),
    stale_reminders: 0,
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
  state: null,
  kind: 'update',
  posted_at: toText(update.created_at),
  edited_at: null,
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
  chosen_at: null,
  confirmed_at: toText(subscriber.created_at),
  unsubscribed_at: null,
  consent_source: '/v1 import',
  kinds: ['planned', 'unplanned', 'general'],
  link_version: 0,
});

/** Parents before their children. A component whose parent is missing is a component of the page itself. */
export function sortByDepth(rows: Row[]): Row[] {
  const sorted: Row[] = [];
  const placed = new Set<unknown>([null]);
  const ids = new Set(rows.map(({ id }) => id));
  let rest = rows.map(row => (ids.has(row.parent_id) ? row : { ...row, parent_id: null }));
  while (rest.length) {
    const next = rest.filter(({ parent_id }) => placed.has(parent_id));
    // What is left refers to itself in a circle.
    const free = next.length ? next : rest.map<Row>(row => ({ ...row, parent_id: null }));
    for (const row of free) {
      sorted.push(row);
      placed.add(row.id);
    }
    rest = rest.filter(({ id }) => !placed.has(id));
  }
  return sorted;
}
