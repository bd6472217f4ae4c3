import { skipReasons } from './delivery/delivery.states.js';

export const unsentStates = `('sending', 'pending', 'retrying')`;

/** SQL: whether a delivery was sent, or will be, or another that supersedes it has its text. */
export const countsAsNotifiedSql = (delivery: string): string => `(${delivery}.state = 'sent'
  or ${delivery}.state in ${unsentStates} or ${delivery}.reason = '${skipReasons.superseded}')`;

/**
 * SQL: whether the installation from which the page came notified the subscriber `s` of the notice of the publication
 * `pub`, and they have not chosen anew since.
 */
export const wasNotifiedElsewhereSql = `exists (
  select 1 from notified_subscriber there where there.notice_id = pub.notice_id and there.subscriber_id = s.id
    and (s.chosen_at is null or there.notified_at >= s.chosen_at))`;
