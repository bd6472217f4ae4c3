import { moment } from '../../records/select-sql.js';
import { snakeCase } from '../../core/snake-case.js';
import { colourNames } from '../../branding/brand.entity.js';
import { daysOfHistory } from './history.js';
import { tokenLength } from '../../notices/notice.text.js';
import type { Database } from '../../db/connection.js';
import { presentSql } from '../../notices/notice.states.js';
import { configured } from '../../notifications/page-channels/channel-names.js';
import { themeVersionSql } from '../../branding/theme.service.js';
import { zoneOf } from '../../pages/time-zones.js';
import { noticesAtMost, type PageSnapshot } from './snapshot.js';

/** Which notices of the past a snapshot brings, beside all that are future or present. */
export type Past = 'recent' | { month: { from: string; to: string } } | { token: string };

/** History goes back 90 days; one more, since zones differ. */
const recentDays = daysOfHistory + 1;
/** A notice that has more shows the newest; all are at its own address. */
const updatesAtMost = 50;

const rows = (columns: string, from: string, order: string) =>
  `(select coalesce(json_agg(row_to_json(r) order by ${order}), '[]') from (select ${columns} from ${from}) r)`;

/**
 * All that a page shows, in one statement and so of one moment. PostgreSQL writes the JSON, like everywhere in this house; null where there is no such page.
 * `$1` is the page; `$2` and `$3` bound the past.
 */
const statement = (past: string, updates = `${updatesAtMost}`) => `
select row_to_json(s)::text as body from (
  select ${moment('statement_timestamp()')} as "readAt",
    (select row_to_json(r) from (
      select p.id, p.name, p.timezone, p.locale, p.support_email as "supportEmail", p.support_telephone as "supportTelephone", p.support_url as "supportUrl",
        p.visible_to_search as "visibleToSearch", p.meta_title as "metaTitle", p.meta_description as "metaDescription",
        p.vendor_analytics_id as "vendorAnalyticsId", p.timeline_threshold as "timelineThreshold", p.timeline_sort_order as "timelineSortOrder",
        (select d.domain from custom_domain d where d.page_id = p.id and d.verified_at is not null) as domain,
        array_remove(array[case when p.email_switch and ${configured.email} then 'email' end, case when p.sms_switch and ${configured.sms} then 'sms' end], null)
          as "subscriptionOptions",
        (select ${moment('least(p.created_at, min(n.began_at))')} from notice n where n.page_id = p.id) as "historySince",
        ${moment('p.created_at')} as "createdAt", ${moment('p.updated_at')} as "updatedAt") r) as page,
    (select row_to_json(r) from (
      select ${colourNames.map(name => `b.${snakeCase(name)} as "${name}"`).join(', ')}
      from brand b where b.page_id = p.id) r) as brand,
    ${rows(
      `c.id, c.parent_id as "parentId", c.name, c.description, c.state, c.position, ${moment('c.created_at')} as "createdAt", ${moment('c.updated_at')} as "updatedAt"`,
      'component c where c.page_id = p.id',
      'r.position, r.id',
    )} as components,
    ${rows(
      `n.id, n.type, n.subject, n.synopsis, n.state, n.path, ${moment('n.begins_at')} as "beginsAt", ${moment('n.ends_at')} as "endsAt",
        ${moment('n.began_at')} as "beganAt", ${moment('n.ended_at')} as "endedAt", ${moment('n.created_at')} as "createdAt", ${moment('n.updated_at')} as "updatedAt",
        n.version, n.tag_list as tags,
        array(select nc.component_id from notice_component nc join component c on c.id = nc.component_id where nc.notice_id = n.id order by c.position, c.id)
          as "componentIds",
        ${rows(
          `u.id, u.content, ${moment('u.created_at')} as "createdAt", ${moment('u.updated_at')} as "updatedAt"`,
          `notice_update u where u.notice_id = n.id order by u.id desc limit ${updates}`,
          'r.id',
        )} as updates`,
      `(select * from notice n where n.page_id = p.id and (${presentSql('n.state')} or n.state = 'scheduled' or (${past})) order by n.state is not null and n.ended_at is null desc, n.id desc limit ${noticesAtMost}) n`,
      'r.id desc',
    )} as notices,
    (select ${themeVersionSql('t')} from theme t where t.page_id = p.id) as "themeVersion"
  from page p where p.id = $1
) s`;

const statements = {
  recent: statement(
    `n.ended_at > statement_timestamp() - greatest(interval '${recentDays} days', make_interval(secs => p.timeline_threshold))`,
  ),
  // All that lasted into the month.
  month: statement('n.began_at < $3::timestamptz and coalesce(n.ended_at, n.began_at) >= $2::timestamptz'),
  token: statement(
    `left(n.path, ${tokenLength}) = $2`,
    `case when left(n.path, ${tokenLength}) = $2 then null else ${updatesAtMost} end`,
  ),
};

export async function readPage(
  database: Pick<Database, 'read'>,
  pageId: string,
  past: Past = 'recent',
): Promise<PageSnapshot | null> {
  const [text, values] =
    past === 'recent'
      ? [statements.recent, []]
      : 'token' in past
        ? [statements.token, [past.token]]
        : [statements.month, [past.month.from, past.month.to]];
  const row = await database.read(text, [pageId, ...values]);
  if (!row) return null;
  const snapshot = JSON.parse(row.body) as PageSnapshot;
  snapshot.page.zone = zoneOf(snapshot.page.timezone);
  return snapshot;
}

/** The page that a verified domain shows. */
export async function pageOfDomain(database: Database, domain: string): Promise<string | null> {
  const [row] = await database.query<{ page: string }>(
    'select page_id as page from custom_domain where domain = $1 and verified_at is not null',
    [domain],
  );
  return row?.page ?? null;
}

export async function allPageIds(database: Database): Promise<string[]> {
  return (await database.query<{ id: string }>('select id from page order by id')).map(({ id }) => id);
}
