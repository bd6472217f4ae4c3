import type { LeasedDelivery } from './lease.js';

/** What a circuit breaker is about: a channel of a page or a webhook; e-mails and SMS share one server. */
export const targetOf = ({ channel, pageId, subscriberId, webhookId }: LeasedDelivery): string =>
  subscriberId === null ? `${channel}:${webhookId ?? pageId}` : channel;

/** The same in SQL, of a row of deliveries. */
export const targetSql = (row: string): string =>
  `${row}.channel || case when ${row}.subscriber_id is null
    then ':' || coalesce(${row}.webhook_id::text, ${row}.page_id) else '' end`;

/** The name, in what is blocked, of the deliveries of a channel to hosts that anybody may run. */
export const untrustedOf = (channel: string): string => `untrusted ${channel}`;
