import { isCurrentSql } from '../components/manual-status.rules.js';
import type { RunQuery } from '../db/prepared-statements.js';
import { presentSql } from '../notices/notice.states.js';
import { findZone } from '../pages/time-zones.js';
import {
  type Audience,
  isCorrection,
  loadPublication,
  loadSuspendedAudiences,
  type PublicationRow,
} from './audience.queries.js';
import { channelByName, suspensionRuleOf } from './channels/registry.js';
import { loadPublicationAudience } from './publication-audience.entity.js';
import { type PublicationOutcome, relatedComponentsSql, type UnpublishedReason } from './publish.service.js';
import { type NoticeFacts, type RecipientFacts, type Warning, warnOfNotice, warnOfRecipients } from './warnings.js';

const unpublishedReasons: Record<UnpublishedReason, Warning> = {
  unpublished: { code: 'not_published', message: 'Nobody was notified, since `shouldPublish` was not true.' },
  unchanged: { code: 'unchanged', message: 'Nothing changed, so nobody was notified.' },
  corrected: { code: 'not_published', message: 'Nobody was notified, since a changed update is not sent again.' },
};

/** Another open notice that names one of the components. */
export interface OverlappingNotice {
  id: number;
  subject: string;
}

interface NoticeRow extends Omit<NoticeFacts, 'zone' | 'overlappingSubjects' | 'beginsAt' | 'endsAt'> {
  timezone: string;
  /** In milliseconds. */
  now: number;
  beginsAt: number | null;
  endsAt: number | null;
  overlapping: OverlappingNotice[];
}

const toMilliseconds = (timestamp: string) => `extract(epoch from ${timestamp})::float8 * 1000`;

/** The newest of the other open notices that affect its components, and those with a manual status, by position. */
const noticeSql = `
  with scope as materialized (select ${relatedComponentsSql('$1')} as ids)
  select p.timezone, n.type, n.state, ${toMilliseconds('clock_timestamp()')} as now,
    ${toMilliseconds('n.begins_at')} as "beginsAt", ${toMilliseconds('n.ends_at')} as "endsAt",
    (select coalesce(jsonb_agg(found order by id desc), '[]') from (
      select o.id, o.subject from notice o, scope
      where o.page_id = n.page_id and o.id <> n.id and ${presentSql('o.state')} and exists (
        select 1 from notice_component c where c.notice_id = o.id and c.component_id = any(scope.ids))
      order by o.id desc limit 5) found) as overlapping,
    (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'state', state) order by position, id), '[]') from (
      select c.id, c.position, c.name, m.state from notice_component nc join component c on c.id = nc.component_id
      join manual_status m on m.component_id = c.id and ${isCurrentSql('m')}
      where nc.notice_id = n.id order by c.position, c.id limit 5) found) as "manualStatuses"
  from notice n join page p on p.id = n.page_id where n.id = $1`;

/** What there is to overlook about a notice as it is. Null: it was deleted meanwhile. */
export async function findNoticeWarnings(
  run: RunQuery,
  noticeId: number,
): Promise<{ warnings: Warning[]; overlapping: OverlappingNotice[] } | null> {
  const [row] = await run<NoticeRow>(noticeSql, [noticeId]);
  if (!row) return null;
  const { timezone, now, overlapping, ...notice } = row;
  const toDate = (time: number | null) => (time === null ? null : new Date(time));
  const facts = {
    ...notice,
    zone: findZone(timezone),
    beginsAt: toDate(notice.beginsAt),
    endsAt: toDate(notice.endsAt),
    overlappingSubjects: overlapping.map(({ subject }) => subject),
  };
  return { warnings: warnOfNotice(facts, new Date(now)), overlapping };
}

type Recipients = Pick<Audience, 'channel' | 'count' | 'notifiedEarlierCount'>;

/** What there is to overlook about the recipients of a publication. */
export function findRecipientWarnings(
  { scope, corrects }: PublicationRow,
  notified: readonly Recipients[],
  suspended: readonly Recipients[],
): Warning[] {
  const facts: RecipientFacts = {
    hasRecipients: notified.length > 0,
    isForAllSubscribers:
      scope === null &&
      corrects === null &&
      notified.some(({ channel }) => channelByName[channel].recipients === 'subscribers'),
    notifiedEarlier: notified
      .filter(({ notifiedEarlierCount }) => notifiedEarlierCount > 0)
      .map(({ channel, notifiedEarlierCount: count }) => ({ channel: channelByName[channel].label, count })),
    suspended: suspended.map(({ channel: name, count }) => {
      const channel = channelByName[name];
      return { channel: channel.label, count, cause: suspensionRuleOf(channel).description };
    }),
  };
  return warnOfRecipients(facts);
}

/** Why nobody was notified of a write, and what its author may have overlooked: the warnings of its preview. */
export async function listWarnings(
  run: RunQuery,
  outcome: PublicationOutcome,
  noticeId: number | null,
): Promise<Warning[]> {
  const reason = 'reason' in outcome ? [unpublishedReasons[outcome.reason]] : [];
  if (noticeId === null || ('reason' in outcome && outcome.reason !== 'unpublished')) return reason;
  const publication = 'reason' in outcome ? null : await loadPublication(run, outcome.publicationId);
  const isOfNotice = !publication || !isCorrection(publication);
  const notice = isOfNotice ? ((await findNoticeWarnings(run, noticeId))?.warnings ?? []) : [];
  if (!publication || 'reason' in outcome) return [...reason, ...notice];
  const notified = await loadPublicationAudience(run, outcome.publicationId);
  const suspended = await loadSuspendedAudiences(run, publication);
  return [...notice, ...findRecipientWarnings(publication, notified, suspended)];
}
