import { skipReasons } from './delivery.states.js';
import { supersedesSql } from './supersede.js';

/** Publications of a notice that are looked up for each recipient: it can have many thousands. */
export const maxRecent = 1_000;

/**
 * SQL: for each delivery in `skippedSql` (ids), which is skipped because its update was deleted or its publication
 * stopped, queues the newest delivery that it had superseded, unless a third one supersedes that, too. A stopped
 * publication is passed over, since its deliveries would be skipped again.
 *
 * Plan: the newest publications by their index, and in each the delivery to the recipient, once.
 */
export const restoreSql = (skippedSql: string): string => `
  update delivery o set state = 'pending', reason = null, queued_at = clock_timestamp()
  from (
    select restorable.id from delivery d join publication own on own.id = d.publication_id cross join lateral (
      with found as materialized (
        select recent.*, e.id as delivery_id, e.state from (
          select p.id, p.corrects, p.update_id, p.stopped_at
          from publication p where p.notice_id = d.notice_id order by p.id desc limit ${maxRecent}
        ) recent cross join lateral (
          select e.id, e.state from delivery e where e.publication_id = recent.id and e.channel = d.channel
            and e.recipient_key = d.recipient_key and (e.state <> 'skipped' or e.reason = '${skipReasons.superseded}')
            and e.id not in (${skippedSql}) limit 1
        ) e
      ), newest as (
        select found.* from found where found.state = 'skipped' and found.id < own.id and found.stopped_at is null
          and ${supersedesSql({ later: 'own', earlier: 'found', channelSql: 'd.channel' })}
          and (found.update_id is null or exists (select 1 from notice_update u where u.id = found.update_id))
        order by found.id desc limit 1
      )
      select newest.delivery_id as id from newest where not exists (
        select 1 from found where found.state <> 'skipped' and found.id > newest.id
          and ${supersedesSql({ later: 'found', earlier: 'newest', channelSql: 'd.channel' })})
    ) restorable
    where d.id in (${skippedSql})
  ) restorable where o.id = restorable.id`;
