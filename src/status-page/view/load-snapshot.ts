import { snakeCase } from '../../core/snake-case.js';
import { colourNames } from '../../pages/branding/brand.entity.js';
import { isCurrentSql } from '../../components/manual-status.rules.js';
import type { Database } from '../../db/database.js';
import { endOrder, presentOrder, scheduledOrder } from '../../notices/notice.order.js';
import { presentSql } from '../../notices/notice.states.js';
import { isActiveSql } from '../../notifications/channels/is-configured.js';
import { themeVersionSql } from '../../pages/branding/theme.service.js';
import { isPrivatePageSql } from '../../pages/page-visibility.js';
import { historyLengthDays } from '../../pages/public-page.js';
import { findZone } from '../../pages/time-zones.js';
import { countNotices, historyJson, jsonRows, noticesJson, selectNotices, toHistory, toNotices } from './notice-sql.js';
import { noticeLimits, type PageSnapshot } from './snapshot.js';
import { metricsJson } from '../../pages/metrics/metric-points.js';
import { formatTimes } from './snapshot-times.js';

/** One day more than the history shows, since time zones differ. */
const recentDays = historyLengthDays + 1;

const { open, upcoming, general, past } = noticeLimits;

/** The bytes of the descriptions of components, as they are sorted: those beyond have none on the page. */
const maxDescriptionBytes = 500_000;

/** Since when notices that ended are shown: on any page of the last days, and on the front page. */
const recentSql = `statement_timestamp()
  - greatest(interval '${recentDays} days', make_interval(secs => p.timeline_threshold))`;
const shownSql = `statement_timestamp() - greatest(interval '168 hours', make_interval(secs => p.timeline_threshold))`;

const isPresent = presentSql('n.state');

const presentLimit = `${open} - least(${upcoming}, counts.future)`;

/** The notices of each list. */
const shownNotices = [
  selectNotices(isPresent, presentOrder, presentLimit),
  selectNotices(`n.state = 'scheduled'`, scheduledOrder, `${open} - least(counts.present, ${presentLimit})`),
  selectNotices(`n.type = 'general' and n.ended_at > ${recentSql}`, endOrder, general),
  selectNotices(`n.type <> 'general' and n.ended_at > ${recentSql}`, endOrder, past),
].join(' union all ');

/** `offset 0` keeps the counts from being computed again wherever they are used. */
const countsSql = `select ${countNotices(isPresent)} as present, ${countNotices(`n.state = 'scheduled'`)} as future,
  ${countNotices(`n.type = 'general' and n.ended_at >= ${shownSql}`)} as general,
  ${countNotices(`n.type <> 'general' and n.ended_at >= ${shownSql}`)} as past offset 0`;

const firstBeginSql = `select n.began_at from notice n
  where n.page_id = p.id and n.began_at is not null order by n.began_at limit 1`;

/** Reads all that a page shows in one statement, and so at one moment. PostgreSQL writes the JSON. */
const snapshotSql = `
select row_to_json(s)::text as body from (
  select statement_timestamp() as "readAt", p.change_count as "changeCount",
    (select row_to_json(r) from (
      select p.id, p.name, p.timezone, p.locale, p.support_email as "supportEmail",
        p.support_telephone as "supportTelephone", p.support_url as "supportUrl",
        p.website_url as "websiteUrl", p.privacy_url as "privacyUrl", p.terms_url as "termsUrl",
        p.visible_to_search and p.visibility = 'public' as "isVisibleToSearch", p.visibility,
        p.meta_title as "metaTitle", p.meta_description as "metaDescription",
        case when ${isPrivatePageSql('p.visibility')} then json_build_object(
          'by', p.visibility, 'version', p.access_version, 'domainVersions', (
            select coalesce(json_object_agg(domain, added), '{}')
            from unnest(p.email_domains, p.email_domain_versions) of_page (domain, added))) end as access,
        p.vendor_analytics_id as "vendorAnalyticsId", p.timeline_threshold as "timelineThresholdSeconds",
        p.stale_after_minutes as "staleAfterMinutes",
        p.timeline_sort_order as "timelineSortOrder", p.show_uptime as "shouldShowUptime",
        p.show_response_statistics as "shouldShowResponseStatistics",
        (select d.domain from custom_domain d where d.page_id = p.id and d.verified_at is not null) as domain,
        array_remove(array[
          case when ${isActiveSql('email')} then 'email' end,
          case when ${isActiveSql('sms')} then 'sms' end], null) as "subscriptionOptions",
        -- A mail confirms them. On a private page they would go on after their holder has lost access.
        ${isActiveSql('webhook')} and ${isActiveSql('email')}
          and not ${isPrivatePageSql('p.visibility')} as "offersWebhooks",
        ${isActiveSql('push')} and not ${isPrivatePageSql('p.visibility')} as "offersPush",
        least(p.created_at, (${firstBeginSql})) as "historySince",
        (select k.public_key from webhook_key k where k.page_id = p.id) as "webhookKey",
        p.created_at as "createdAt", p.updated_at as "updatedAt") r) as page,
    (select row_to_json(r) from (
      select ${colourNames.map(name => `b.${snakeCase(name)} as "${name}"`).join(', ')}
      from brand b where b.page_id = p.id) r) as brand,
    (select json_object_agg(i.role, json_build_object(
        'format', i.format, 'hash', i.hash, 'width', i.width, 'height', i.height))
      from brand_image i where i.page_id = p.id) as images,
    ${jsonRows(
      `c.id, c.parent_id as "parentId", c.name, c.state, c.position,
        case when c.description_bytes <= ${maxDescriptionBytes} then c.description end as description,
        (select json_build_object('state', m.state, 'note', m.note, 'beganAt', m.began_at)
          from manual_status m where m.component_id = c.id and ${isCurrentSql('m')}) as manual,
        (select json_build_object('url', u.url, 'state', u.state, 'beganAt', u.began_at)
          from upstream u where u.component_id = c.id) as upstream,
        c.created_at as "createdAt", c.updated_at as "updatedAt"`,
      `(select c.*, sum(octet_length(c.description)) over (order by c.position, c.id) as description_bytes
        from component c where c.page_id = p.id) c`,
      'r.position, r.id',
    )} as components,
    ${noticesJson(shownNotices)} as notices, row_to_json(counts) as counts,
    ${historyJson(`n.ended_at > ${recentSql}`)} as history,
    ${metricsJson} as metrics,
    (select ${themeVersionSql('t')} from theme t where t.page_id = p.id) as "themeVersion"
  from page p cross join lateral (${countsSql}) counts where p.id = $1
) s`;

/** Null: there is no such page. */
export async function loadSnapshot(database: Pick<Database, 'read'>, pageId: string): Promise<PageSnapshot | null> {
  const row = await database.read(snapshotSql, [pageId]);
  if (!row) return null;
  const { history, ...snapshot } = JSON.parse(row.body) as Omit<PageSnapshot, 'history'> & {
    history: Parameters<typeof toHistory>[0];
  };
  const { page, components } = snapshot;
  for (const row of [
    snapshot,
    page,
    ...components,
    ...components.flatMap(({ manual, upstream }) => [manual ?? [], upstream ?? []].flat()),
  ])
    formatTimes(row);
  toNotices(snapshot.notices);
  snapshot.page.zone = findZone(snapshot.page.timezone);
  return { ...snapshot, images: snapshot.images ?? {}, history: toHistory(history) };
}

/** The page of a verified custom domain. */
export async function findPageIdByDomain(database: Database, domain: string): Promise<string | null> {
  const [row] = await database.query<{ page: string | null }>(
    `select coalesce((select page_id from custom_domain where domain = $1 and verified_at is not null),
       (select max(page_id) from moved_page where domain = $1)) as page`,
    [domain],
  );
  return row?.page ?? null;
}

/** The only public page of the service, or else the only one that has moved; null when there are several, or none. */
export async function findOnlyPageId(database: Database): Promise<string | null> {
  const rows = await database.query<{ id: string }>(
    `select id from page where visibility = 'public'
     union all select page_id from moved_page where not exists (select 1 from page) limit 2`,
  );
  return rows.length === 1 ? rows[0]!.id : null;
}

export async function listPageIds(database: Database): Promise<string[]> {
  return (await database.query<{ id: string }>('select id from page order by id')).map(({ id }) => id);
}
