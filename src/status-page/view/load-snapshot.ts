import { compileTimestamp } from '../../records/table-sql.js';
import { snakeCase } from '../../core/snake-case.js';
import { colourNames } from '../../branding/brand.entity.js';
import { historyLengthDays } from './history.js';
import { tokenLength } from '../../notices/notice.text.js';
import type { Database } from '../../db/connection.js';
import { presentSql } from '../../notices/notice.states.js';
import { isActiveSql } from '../../notifications/page-channels/is-configured.js';
import { themeVersionSql } from '../../branding/theme.service.js';
import { findZone } from '../../pages/time-zones.js';
import { maxNotices, maxUpdates, type PageSnapshot } from './snapshot.js';

/** Which past notices a snapshot contains, in addition to all future and present ones. */
export type PastSelection = 'recent' | { month: { from: string; to: string } } | { token: string } | { id: number };

/** One day more than the history shows, since time zones differ. */
const recentDays = historyLengthDays + 1;

const jsonRows = (columns: string, from: string, order: string) =>
  `(select coalesce(json_agg(row_to_json(r) order by ${order}), '[]') from (select ${columns} from ${from}) r)`;

const timestamp = (column: string, alias: string) => `${compileTimestamp(column)} as "${alias}"`;

/**
 * Reads all that a page shows in one statement, and so at one moment. PostgreSQL writes the JSON.
 * `$1` is the page id. `past` selects the past notices, with `$2` and `$3` as its parameters.
 */
const snapshotSql = (past: string, updateLimit = `${maxUpdates}`) => `
select row_to_json(s)::text as body from (
  select ${timestamp('statement_timestamp()', 'readAt')},
    (select row_to_json(r) from (
      select p.id, p.name, p.timezone, p.locale, p.support_email as "supportEmail",
        p.support_telephone as "supportTelephone", p.support_url as "supportUrl",
        p.visible_to_search as "visibleToSearch", p.meta_title as "metaTitle", p.meta_description as "metaDescription",
        p.vendor_analytics_id as "vendorAnalyticsId", p.timeline_threshold as "timelineThreshold",
        p.timeline_sort_order as "timelineSortOrder",
        (select d.domain from custom_domain d where d.page_id = p.id and d.verified_at is not null) as domain,
        array_remove(array[
          case when ${isActiveSql('email')} then 'email' end,
          case when ${isActiveSql('sms')} then 'sms' end], null) as "subscriptionOptions",
        (select ${compileTimestamp('least(p.created_at, min(n.began_at))')}
          from notice n where n.page_id = p.id) as "historySince",
        ${timestamp('p.created_at', 'createdAt')}, ${timestamp('p.updated_at', 'updatedAt')}) r) as page,
    (select row_to_json(r) from (
      select ${colourNames.map(name => `b.${snakeCase(name)} as "${name}"`).join(', ')}
      from brand b where b.page_id = p.id) r) as brand,
    ${jsonRows(
      `c.id, c.parent_id as "parentId", c.name, c.description, c.state, c.position,
        ${timestamp('c.created_at', 'createdAt')}, ${timestamp('c.updated_at', 'updatedAt')}`,
      'component c where c.page_id = p.id',
      'r.position, r.id',
    )} as components,
    ${jsonRows(
      `n.id, n.type, n.subject, n.synopsis, n.state, n.path, n.version, n.tag_list as tags,
        exists (select 1 from publication pub where pub.notice_id = n.id) as "isPublished",
        ${timestamp('n.begins_at', 'beginsAt')}, ${timestamp('n.ends_at', 'endsAt')},
        ${timestamp('n.began_at', 'beganAt')}, ${timestamp('n.ended_at', 'endedAt')},
        ${timestamp('n.created_at', 'createdAt')}, ${timestamp('n.updated_at', 'updatedAt')},
        array(
          select nc.component_id from notice_component nc join component c on c.id = nc.component_id
          where nc.notice_id = n.id order by c.position, c.id) as "componentIds",
        ${jsonRows(
          `u.id, u.content, u.state, u.should_publish as "shouldPublish",
            ${timestamp('u.created_at', 'createdAt')}, ${timestamp('u.updated_at', 'updatedAt')}`,
          `notice_update u where u.notice_id = n.id order by u.id desc limit ${updateLimit}`,
          'r.id',
        )} as updates`,
      `(select * from notice n
        where n.page_id = p.id and (${presentSql('n.state')} or n.state = 'scheduled' or (${past}))
        order by n.state is not null and n.ended_at is null desc, n.id desc limit ${maxNotices}) n`,
      'r.id desc',
    )} as notices,
    (select ${themeVersionSql('t')} from theme t where t.page_id = p.id) as "themeVersion"
  from page p where p.id = $1
) s`;

/** The requested notice comes with all of its updates. */
const singleNoticeSql = (condition: string) =>
  snapshotSql(condition, `case when ${condition} then null else ${maxUpdates} end`);

const statements = {
  recent: snapshotSql(
    `n.ended_at > statement_timestamp()
      - greatest(interval '${recentDays} days', make_interval(secs => p.timeline_threshold))`,
  ),
  // Every notice that was open at any moment of the month.
  month: snapshotSql('n.began_at < $3::timestamptz and coalesce(n.ended_at, n.began_at) >= $2::timestamptz'),
  token: singleNoticeSql(`left(n.path, ${tokenLength}) = $2`),
  id: singleNoticeSql('n.id = $2::integer'),
};

function selectStatement(past: PastSelection): [sql: string, parameters: (string | number)[]] {
  if (past === 'recent') return [statements.recent, []];
  if ('token' in past) return [statements.token, [past.token]];
  if ('id' in past) return [statements.id, [past.id]];
  return [statements.month, [past.month.from, past.month.to]];
}

/** Null: there is no such page. */
export async function loadSnapshot(
  database: Pick<Database, 'read'>,
  pageId: string,
  past: PastSelection = 'recent',
): Promise<PageSnapshot | null> {
  const [sql, parameters] = selectStatement(past);
  const row = await database.read(sql, [pageId, ...parameters]);
  if (!row) return null;
  const snapshot = JSON.parse(row.body) as PageSnapshot;
  snapshot.page.zone = findZone(snapshot.page.timezone);
  return snapshot;
}

/** The page of a verified custom domain. */
export async function findPageIdByDomain(database: Database, domain: string): Promise<string | null> {
  const [row] = await database.query<{ page: string }>(
    'select page_id as page from custom_domain where domain = $1 and verified_at is not null',
    [domain],
  );
  return row?.page ?? null;
}

export async function listPageIds(database: Database): Promise<string[]> {
  return (await database.query<{ id: string }>('select id from page order by id')).map(({ id }) => id);
}
