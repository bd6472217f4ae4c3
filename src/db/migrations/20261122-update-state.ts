/**
 * Earlier versions did not store the state. It is derived from the first of these that is known:
 *
 * 1. the publication of the update, whose snapshot contains the state: exact;
 * 2. the end of the notice: an update from then on has the final state;
 * 3. the begin of a maintenance: updates before it are `scheduled`, those from then on `underway`;
 * 4. the present state, for the latest update of an open incident;
 * 5. the latest earlier publication of the notice;
 * 6. the initial state of an incident. An incident that moved on unpublished and without a comment left no trace.
 */
const backfill = `
  update notice_update u set state = coalesce(
    (select p.picture #>> '{notice,state}' from publication p where p.notice_id = n.id and p.update_id = u.id limit 1),
    case
      when u.created_at >= n.ended_at then n.state
      when n.type = 'planned' then case when u.created_at >= n.began_at then 'underway' else 'scheduled' end
      when n.ended_at is null and u.id = (select max(latest.id) from notice_update latest where latest.notice_id = n.id)
        then n.state
    end,
    (select p.picture #>> '{notice,state}' from publication p
      where p.notice_id = n.id and p.created_at <= u.created_at order by p.created_at desc, p.id desc limit 1),
    'investigating')
  from notice n where n.id = u.notice_id and n.state is not null`;

/** Adds the state that the notice had at the time of each update. Null for notices without states. */
export const updateState = ['alter table notice_update add column state text', backfill];
