import { compileTimestamp } from '../../records/table-sql.js';
import { defaultImpact } from '../../notices/impact.js';
import { presentSql } from '../../notices/notice.states.js';
import { publishedSql } from '../../notices/published.js';
import { maxRevisions, maxUpdates, type NoticeHistory } from './snapshot.js';

/** The SQL of notices as JSON, in which `p` is the row of their page. */

/** How many notices a history is computed from: of each kind of open ones, and of those that ended. */
export const historyLimits = { open: 250, ended: 1_000 };

export const timestamp = (column: string, alias: string) => `${compileTimestamp(column)} as "${alias}"`;

export const jsonRows = (columns: string, from: string, order: string) =>
  `(select coalesce(json_agg(row_to_json(r) order by ${order}), '[]') from (select ${columns} from ${from}) r)`;

/** The impacts of a notice by component, where they are not the default. */
const impactsJson = `(select coalesce(json_object_agg(nc.component_id, nc.impact), '{}') from notice_component nc
  where nc.notice_id = n.id and nc.impact <> '${defaultImpact}')`;

/** The earlier texts of an update, newest first. */
const revisionsJson = `(select json_agg(json_build_object('content', r.content) order by r.id desc) from (
  select r.id, r.content from notice_update_revision r where r.update_id = u.id order by r.id desc limit ${maxRevisions}) r)`;

/** `from` selects rows of notices. */
export const noticesJson = (from: string, updateLimit: number | null = maxUpdates) =>
  jsonRows(
    `n.id, n.type, n.subject, n.synopsis, n.state, n.path, n.version, n.tag_list as tags,
      exists (select 1 ${publishedSql('n.id')}) as "isPublished",
      ${timestamp('n.begins_at', 'beginsAt')}, ${timestamp('n.ends_at', 'endsAt')},
      ${timestamp('n.began_at', 'beganAt')}, ${timestamp('n.ended_at', 'endedAt')},
      ${timestamp('n.next_update_by', 'nextUpdateBy')},
      ${timestamp('n.created_at', 'createdAt')}, ${timestamp('n.updated_at', 'updatedAt')},
      array(
        select nc.component_id from notice_component nc join component c on c.id = nc.component_id
        where nc.notice_id = n.id order by c.position, c.id) as "componentIds",
      ${impactsJson} as impacts,
      ${jsonRows(
        `u.id, u.content, u.kind, u.state, u.should_publish as "shouldPublish",
          case when u.edited_at is not null then ${revisionsJson} end as revisions,
          ${timestamp('u.edited_at', 'editedAt')}, ${timestamp('u.posted_at', 'postedAt')}, ${timestamp('u.created_at', 'createdAt')}, ${timestamp('u.updated_at', 'updatedAt')}`,
        `notice_update u where u.notice_id = n.id order by u.posted_at desc, u.id desc limit ${updateLimit}`,
        'r."postedAt", r.id',
      )} as updates`,
    `(${from}) n`,
    'r.id desc',
  );

/** The open notices of a page that began first: they cover the days for which one of the others is open, too. */
const longestOpen = (['unplanned', 'planned'] as const).map(
  type => `(select n.* from notice n
    where n.page_id = p.id and n.type = '${type}' and ${presentSql('n.state')}
    order by n.began_at, n.id limit ${historyLimits.open})`,
);

/** The notices of a history; `ended` is the condition on those that are over. */
export function historyJson(ended: string): string {
  const endedRows = `(select n.* from notice n where n.page_id = p.id and n.type <> 'general' and ${ended}
    order by n.ended_at desc, n.id desc limit ${historyLimits.ended})`;
  return jsonRows(
    // Not in the format of the other timestamps, which takes ten times as long as that of PostgreSQL.
    `n.id, n.type, n.state, n.began_at as "beganAt", n.ended_at as "endedAt",
      array(select nc.component_id from notice_component nc where nc.notice_id = n.id order by 1) as "componentIds",
      ${impactsJson} as impacts`,
    `(${[...longestOpen, endedRows].join(' union all ')}) n`,
    'r.id desc',
  );
}

export function toHistory(notices: NoticeHistory['notices']): NoticeHistory {
  const ends = notices.flatMap(({ endedAt }) => (endedAt ? Date.parse(endedAt) : []));
  return {
    notices,
    completeSince: ends.length < historyLimits.ended ? null : new Date(Math.min(...ends)).toISOString(),
  };
}
