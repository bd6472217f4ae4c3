import { skipReasons } from './delivery.states.js';
import { messageIdSql } from './message-id.js';
import { hasCorrectedTextSql, supersedesSql } from './supersede.js';

/** Publications of a notice that are looked up for each recipient: it can have many thousands. */
export const maxRecent = 1_000;

/** Of those that a correction is about and that are gone: each is compared with all recent ones. */
const maxGone = 10;

const isShownSql = (publication: string) => `(${publication}.stopped_at is null and (${publication}.update_id is null
  or exists (select 1 from notice_update u where u.id = ${publication}.update_id)))`;

/**
 * SQL: CTEs that, for each delivery in `skippedSql` (ids), which is skipped because its update was deleted or its
 * publication stopped, queue the newest delivery that it had superseded, unless a third one supersedes that, too. What
 * was superseded by a message that this one corrects counts, if that was deleted or stopped. Where the delivery has
 * been corrected meanwhile, they queue the correction instead, which went only to those who were sent the wrong text. A
 * stopped publication is passed over, since its deliveries would be skipped again.
 *
 * Plan: the newest publications by their index, and in each the delivery to the recipient, once.
 */
export const restoreCtes = (skippedSql: string): string => `
  restorable as materialized (
    select restorable.* from delivery d join publication own on own.id = d.publication_id cross join lateral (
      with found as materialized (
        select recent.*, e.id as delivery_id, e.state from (
          select p.id, p.corrects, p.update_id, p.stopped_at
          from publication p where p.notice_id = d.notice_id order by p.id desc limit ${maxRecent}
        ) recent cross join lateral (
          select e.id, e.state from delivery e where e.publication_id = recent.id and e.channel = d.channel
            and e.recipient_key = d.recipient_key and (e.state <> 'skipped' or e.reason = '${skipReasons.superseded}')
            and e.id not in (${skippedSql}) limit 1
        ) e
      ), gone as materialized (
        select found.* from found where found.id = any(own.corrects) and not ${isShownSql('found')}
          and ${supersedesSql({ later: 'own', earlier: 'found', channelSql: 'd.channel' })}
        order by found.id desc limit ${maxGone}
      ), newest as (
        select found.* from found where found.state = 'skipped' and found.id < own.id
          and (${supersedesSql({ later: 'own', earlier: 'found', channelSql: 'd.channel' })}
            or exists (select 1 from gone where found.id < gone.id
              and ${supersedesSql({ later: 'gone', earlier: 'found', channelSql: 'd.channel' })}))
          and ${isShownSql('found')}
        order by found.id desc limit 1
      )
      select newest.delivery_id as id, correction.id as correction_id from newest left join lateral (
        select c.id from publication c
        where c.notice_id = d.notice_id and c.id > newest.id and c.corrects is not null and c.stopped_at is null
          and ${hasCorrectedTextSql('c', 'newest', 'd.channel')}
          and exists (select 1 from notice_update u where u.id = c.update_id)
          -- Later on it finds the delivery that is restored.
          and (c.fanned_out_at is not null or c.fanned_out_through >= coalesce(d.subscriber_id, 1))
        order by c.id desc limit 1
      ) correction on true
      where not exists (
        select 1 from found where found.state <> 'skipped' and found.id > newest.id
          and ${supersedesSql({ later: 'found', earlier: 'newest', channelSql: 'd.channel' })})
    ) restorable
    where d.id in (${skippedSql})
  ), restored as (
    update delivery o set state = 'pending', reason = null, queued_at = clock_timestamp()
    from restorable where o.id = restorable.id and restorable.correction_id is null
  ), corrected as (
    insert into delivery (
      page_id, publication_id, notice_id, channel, recipient_key, subscriber_id, webhook_id, address, message_id,
      created_at, queued_at, due_at, notified_earlier, is_untrusted)
    select o.page_id, restorable.correction_id, o.notice_id, o.channel, o.recipient_key, o.subscriber_id, o.webhook_id,
      o.address, ${messageIdSql}, at, at, at, o.notified_earlier, o.is_untrusted
    from restorable join delivery o on o.id = restorable.id cross join clock_timestamp() at
    where restorable.correction_id is not null
    on conflict do nothing
  )`;
