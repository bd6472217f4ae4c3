import { skipReasons } from './delivery.states.js';

/** Publications of a notice that are looked up for each recipient: it can have many thousands. */
export const maxRecent = 1_000;

/**
 * SQL: for each delivery in `skippedSql` (ids), which is skipped because its update was deleted or its publication
 * stopped, queues the newest delivery that it had superseded, unless a third one supersedes that, too. A stopped
 * publication is passed over, since its deliveries would be skipped again.
 *
 * Plan: the newest publications by their index, and in each the delivery to the recipient.
 */
export const restoreSql = (skippedSql: string): string => `
  update delivery o set state = 'pending', reason = null, queued_at = clock_timestamp()
  from (
    select newest.id from delivery d cross join lateral (
      select found.id, found.state from (
        select * from publication p where p.notice_id = d.notice_id order by p.id desc limit ${maxRecent}
      ) recent cross join lateral (
        select e.id, e.state from delivery e where e.publication_id = recent.id and e.channel = d.channel
          and e.recipient_key = d.recipient_key and e.id <> d.id
          and (e.state <> 'skipped' or e.reason = '${skipReasons.superseded}' and recent.id < d.publication_id
            and recent.stopped_at is null and (recent.update_id is null
              or exists (select 1 from notice_update u where u.id = recent.update_id))) limit 1
      ) found
      order by recent.id desc limit 1
    ) newest
    where d.id in (${skippedSql}) and newest.state = 'skipped'
  ) restorable where o.id = restorable.id`;
