import { skipReasons } from './delivery.states.js';

/**
 * SQL: for each delivery in `skippedSql` (ids), which is skipped because its update was deleted or its publication
 * stopped, queues the newest delivery that it had superseded, unless a third one supersedes that, too. A stopped
 * publication is passed over, since its deliveries would be skipped again.
 */
export const restoreSql = (skippedSql: string): string => `
  update delivery o set state = 'pending', reason = null, queued_at = clock_timestamp()
  from (
    select (
      select found.id from publication earlier
        cross join lateral (
          select e.id from delivery e where e.publication_id = earlier.id and e.channel = d.channel
            and e.recipient_key = d.recipient_key and e.state = 'skipped'
            and e.reason = '${skipReasons.superseded}' limit 1
        ) found
      where earlier.notice_id = d.notice_id and earlier.id < d.publication_id and earlier.stopped_at is null
        and (earlier.update_id is null or exists (select 1 from notice_update u where u.id = earlier.update_id))
        and not exists (
          select 1 from publication later join delivery other on other.publication_id = later.id
            and other.channel = d.channel and other.recipient_key = d.recipient_key
          where later.notice_id = d.notice_id and later.id > earlier.id and other.id <> d.id
            and other.state <> 'skipped')
      order by earlier.id desc limit 1
    ) as id
    from delivery d where d.id in (${skippedSql})
  ) restorable where o.id = restorable.id`;
