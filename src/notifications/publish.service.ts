import { shownImpactSql } from '../notices/impact.rules.js';
import { snakeCase } from '../core/snake-case.js';
import { tokenLength } from '../notices/notice-text.rules.js';
import { compileTimestamp } from '../records/table-sql.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Notice } from '../notices/notice.entity.js';
import { findEvent } from './find-event.js';
import { timestampPairSql, updatesSql } from './snapshot-updates.js';
import type { NoticeUpdate } from '../notices/updates/update.entity.js';
import { brandImagePathSql } from '../pages/branding/brand-image.js';
import { colourNames } from '../pages/branding/brand.entity.js';
import type { Locale } from '../i18n/locales.js';
import { isPrivatePageSql } from '../pages/page-visibility.js';
import { noticeUrlSql, publicUrlSql } from '../pages/public-url.js';
import { findZone } from '../pages/time-zones.js';
import { getTranslator } from '../i18n/translator.js';
import { actorKindSql, actorLabelSql } from './actor-label.js';
import { messageIdSql } from './delivery/message-id.js';
import type { PublicationEvent } from './messages/message-snapshot.js';
import {
  composeComponentsText,
  composeText,
  type CorrectedComponents,
  formatWindowText,
  type NoticeBefore,
} from './messages/event.js';

/** Why a write caused no publication. */
export type UnpublishedReason = 'unpublished' | 'unchanged' | 'corrected';

/** The publication that a write caused, or why it caused none. */
export type PublicationOutcome = { publicationId: number } | { reason: UnpublishedReason };

/**
 * Inserts the publication of a change, in the transaction of the change; the worker does the rest. It must be the last
 * write of the change, since the message snapshot is taken from the tables. Without `before` the notice is new. Returns
 * the id of the publication.
 */
export async function publish(
  unit: Unit,
  notice: Notice,
  before: NoticeBefore | null,
  update: PublishedUpdate | null,
  furtherWindows: PublicationValues['furtherWindows'] = [],
): Promise<number> {
  const values = await describePublication(unit, notice, before, update);
  return recordPublication(unit, notice, { ...values, furtherWindows });
}

type PublishedUpdate = Pick<NoticeUpdate, 'id' | 'content' | 'kind'>;

/** What a publication of the change says. */
async function describePublication(
  unit: Unit,
  notice: Notice,
  before: NoticeBefore | null,
  update: PublishedUpdate | null,
): Promise<PublicationValues> {
  const { translator, zone } = getTranslation(notice);
  return {
    event: update?.kind === 'postmortem' ? 'postmortem' : await findEvent(unit, notice, before),
    text: composeText(notice, before, update?.content ?? null, translator, zone),
    zone,
    by: unit.actor,
    updateId: update?.id ?? null,
  };
}

/** What a correction of an update says to the recipients of these publications. */
export const describeCorrection = (
  unit: Pick<Unit, 'actor'>,
  notice: Notice,
  { id, content }: Pick<NoticeUpdate, 'id' | 'content'>,
  corrects: number[],
): PublicationValues => ({
  event: 'correction',
  text: content,
  zone: getTranslation(notice).zone,
  by: unit.actor,
  updateId: id,
  corrects,
});

/** What a correction of its components says to those who are notified of a notice, now or earlier. */
export function describeComponentCorrection(
  unit: Pick<Unit, 'actor'>,
  notice: Notice,
  components: CorrectedComponents,
): PublicationValues {
  const { translator, zone } = getTranslation(notice);
  const text = composeComponentsText(notice, components, translator);
  return { event: 'correction', text, zone, by: unit.actor, updateId: null };
}

export async function publishReminder(unit: Unit, notice: Notice): Promise<void> {
  const { translator, zone } = getTranslation(notice);
  await recordPublication(unit, notice, {
    event: 'reminder',
    text: formatWindowText(notice, translator, zone),
    zone,
    by: 'reminder',
    updateId: null,
  });
}

const remindSql = `
  with reminder as (update publication set fanned_out_at = created_at where id = $1 returning *)
  insert into delivery (
    page_id, publication_id, notice_id, channel, recipient_key, address, message_id, created_at, queued_at, due_at)
  select page_id, id, notice_id, 'email', email, email, ${messageIdSql}, created_at, created_at, created_at
  from reminder cross join unnest($2::text[]) email`;

/** Inserts the reminder that an update is due, with its deliveries, since its recipients are not subscribers. */
export async function publishUpdateReminder(unit: Unit, notice: Notice, addresses: string[]): Promise<void> {
  const { translator, zone } = getTranslation(notice);
  const time = translator.formatDateTime(notice.nextUpdateBy!, zone);
  return recordUpdateReminder(unit, notice, addresses, translator.t('notice.nextUpdate', { time }));
}

/** The same for an open notice that nobody has updated for a time. */
export function publishStaleReminder(unit: Unit, notice: Notice, addresses: string[], silentMs: number): Promise<void> {
  const { translator } = getTranslation(notice);
  const duration = translator.formatDuration(silentMs);
  return recordUpdateReminder(unit, notice, addresses, translator.t('notice.noUpdateFor', { duration }));
}

async function recordUpdateReminder(unit: Unit, notice: Notice, addresses: string[], text: string): Promise<void> {
  const { zone } = getTranslation(notice);
  const id = await recordPublication(unit, notice, { event: 'update_due', text, zone, by: 'reminder', updateId: null });
  await query(unit.em, remindSql, [id, addresses]);
}

/** The page is loaded, since every write locks it. */
const getTranslation = ({ page }: Notice) => ({
  translator: getTranslator(page.locale as Locale),
  zone: findZone(page.timezoneName),
});

interface PublicationValues {
  event: PublicationEvent;
  text: string;
  zone: string;
  by: string;
  updateId: number | null;
  /** Of a correction: the publications with the wrong text. */
  corrects?: number[];
  /** Of a series: the windows after that of the notice. */
  furtherWindows?: readonly { beginsAt: Date; endsAt: Date }[];
}

export async function recordPublication(unit: Unit, notice: Notice, values: PublicationValues): Promise<number> {
  unit.em.pending.queuesDeliveries = true;
  const [row] = await query<{ id: number }>(unit.em, recordSql, publicationParameters(unit, notice, values));
  unit.publicationId = row!.id;
  return row!.id;
}

const publicationParameters = (
  { now }: Pick<Unit, 'now'>,
  { id }: Notice,
  { event, text, zone, by, updateId, corrects, furtherWindows = [] }: PublicationValues,
): unknown[] => [
  id,
  event,
  now.toISOString(),
  text,
  zone,
  by,
  updateId,
  corrects ?? null,
  JSON.stringify(furtherWindows),
];

const pageSql = `jsonb_build_object(
  'id', p.id, 'name', p.name, 'locale', p.locale, 'timezone', p.timezone, 'zone', $5::text,
  'address', ${publicUrlSql('p.id')}, 'supportEmail', p.support_email,
  'isPrivate', ${isPrivatePageSql('p.visibility')},
  'brand', jsonb_build_object(${colourNames.map(name => `'${name}', b.${snakeCase(name)}`).join(', ')}),
  'images', (
    select coalesce(jsonb_object_agg(i.role, jsonb_build_object(
      'url', ${publicUrlSql('p.id')} || ${brandImagePathSql('i', true)}, 'width', i.width, 'height', i.height)), '{}')
    from brand_image i where i.page_id = p.id and i.role <> 'favicon'
      and not (${isPrivatePageSql('p.visibility')})))`;

const noticeSql = `jsonb_build_object(
  'id', n.id, 'token', left(n.path, ${tokenLength}), 'type', n.type, 'state', n.state, 'subject', n.subject,
  'link', ${noticeUrlSql({ page: 'p.id', path: 'n.path' })}, 'version', n.version,
  'furtherWindows', $9::jsonb,
  ${['n.begins_at', 'n.ends_at', 'n.began_at', 'n.ended_at', 'n.next_update_by'].map(timestampPairSql).join(', ')},
  'components', (
    select coalesce(
      jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'impact', ${shownImpactSql('nc')})
        order by c.position, c.id), '[]')
    from notice_component nc join component c on c.id = nc.component_id where nc.notice_id = n.id))`;

/** An array of the components that a notice names, with their ancestors and descendants. */
export const relatedComponentsSql = (noticeId: string) => `array(
  with recursive named as (
    select c.id, c.parent_id from notice_component nc join component c on c.id = nc.component_id
    where nc.notice_id = ${noticeId}
  ), above as (
    select id, parent_id from named
    union select c.id, c.parent_id from component c join above on above.parent_id = c.id
  ), below as (
    select id from named union select c.id from component c join below on c.parent_id = below.id
  )
  select id from above union select id from below order by id)`;

/** Subscribers of components get notices that name one of them, a relative of it, or that never named any. */
const scopeSql = `case when n.named_components and $8::int[] is null then ${relatedComponentsSql('n.id')} end`;

/** What a person publishes waits, so that they can stop it. */
const heldUntilSql = `case when $6 like 'person %' and p.hold_seconds > 0
  then $3::timestamptz + p.hold_seconds * interval '1 second' end`;

/** PostgreSQL builds the message snapshot: all of its data is there, including what this transaction wrote. */
const publicationSql = `
  select p.id as page_id, n.id as notice_id, n.type as notice_type, $7::integer as update_id, $2::text as event,
    ${actorLabelSql('$6')} as made_by, ${actorKindSql('$6')} as made_by_kind,
    $3::timestamptz as created_at, ${heldUntilSql} as held_until,
    ${scopeSql} as scope, $8::int[] as corrects,
    jsonb_build_object(
      'event', $2::text, 'at', ${compileTimestamp('$3::timestamptz')}, 'text', $4::text,
      'page', ${pageSql}, 'notice', ${noticeSql}, 'updates', ${updatesSql}) as message_snapshot
  from notice n join page p on p.id = n.page_id join brand b on b.page_id = p.id where n.id = $1`;

const recordSql = `
  insert into publication (
    page_id, notice_id, notice_type, update_id, event, made_by, made_by_kind, created_at, held_until, scope, corrects,
    message_snapshot) ${publicationSql}
  returning id`;
