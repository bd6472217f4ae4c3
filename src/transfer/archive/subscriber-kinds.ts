import { z } from 'zod';
import { parseEmailAddress, parsePhoneNumber } from '../../core/address.js';
import { channelNames } from '../../notifications/channels/registry.js';
import { countsAsNotifiedSql } from '../../notifications/notified-subscribers.rules.js';
import { openSql } from '../../notices/notice.states.js';
import { Subscriber } from '../../subscribers/subscriber.entity.js';
import { describeEntity } from './entity-kind.js';
import { id, integer, type Kind, pageId, parsed, text, time } from './kind.js';

const channel = z.enum(channelNames);

/** How many were confirmed and ended on a day. */
export const counts = { day: z.iso.date(), added: integer, ended: integer };

/** What a recipient refused. */
export const refusals = {
  address: text,
  count: integer,
  response: text,
  suspended_at: time.nullable(),
  reported_at: time.nullable(),
};

/** Those who chose components: the others are notified of everything. */
const notifiedSql = `(
  select one.notice_id, one.subscriber_id, max(one.at) as notified_at from (
    select d.notice_id, d.subscriber_id, coalesce(d.sent_at, d.created_at) as at
    from notice n join publication pub on pub.notice_id = n.id join delivery d on d.publication_id = pub.id
    where n.page_id = any($1) and ${openSql('n.state')} and d.subscriber_id is not null and ${countsAsNotifiedSql('d')}
    union all select e.notice_id, e.subscriber_id, e.notified_at
    from notice n join notified_subscriber e on e.notice_id = n.id
    where n.page_id = any($1) and ${openSql('n.state')}
  ) one join subscriber s on s.id = one.subscriber_id and s.chose_components
  group by one.notice_id, one.subscriber_id)`;

export const subscriberKinds: Record<string, Kind> = {
  subscribers: describeEntity(Subscriber, {
    description:
      'Subscribers with the time and the source of their consent. `link_version` counts the confirmation links.',
    fields: {
      email: parsed(parseEmailAddress).nullable(),
      phone_number: parsed(parsePhoneNumber).nullable(),
    },
    required: ['chose_components', 'confirmed_at', 'unsubscribed_at', 'link_version'],
    runs: [['consent_source', 'kinds', 'link_version']],
  }),
  'subscriber-components': {
    table: 'subscriber_component',
    description: 'The components that subscribers chose.',
    fields: { subscriber_id: id, component_id: id },
    order: 'k.subscriber_id, k.component_id',
    references: { subscriber_id: 'subscribers', component_id: 'components' },
  },
  'notified-subscribers': {
    table: 'notified_subscriber',
    source: notifiedSql,
    description: 'Which subscribers to components were notified of notices that are open.',
    fields: { notice_id: id, subscriber_id: id, notified_at: time },
    order: 'k.notice_id, k.subscriber_id',
    references: { notice_id: 'notices', subscriber_id: 'subscribers' },
  },
  'subscriber-counts': {
    table: 'subscriber_count',
    description: 'How many addresses were confirmed and ended, by day.',
    fields: { page_id: pageId, channel, ...counts },
    order: 'k.page_id, k.channel collate "C", k.day',
    // Those of programs, chats and browsers come with them.
    where: () => "k.page_id = any($1) and k.channel not in ('webhook', 'push')",
    references: { page_id: 'pages' },
    replacesRows: "channel not in ('webhook', 'push')",
  },
  'unsubscribed-addresses': {
    table: 'unsubscribed_address',
    description: 'Keyed hashes of addresses that unsubscribed, whose subscribers were deleted since.',
    fields: { page_id: pageId, hash: text },
    order: 'k.page_id, k.hash collate "C"',
    references: { page_id: 'pages' },
  },
  suspensions: {
    table: 'recipient_refusals',
    description: 'Recipients that refused the latest messages. Without a subscriber: a channel of the page.',
    fields: { page_id: pageId, channel, subscriber_id: id.nullable(), ...refusals },
    order: 'k.page_id, k.channel collate "C", k.subscriber_id',
    where: () => 'k.page_id = any($1) and k.webhook_id is null',
    references: { page_id: 'pages', subscriber_id: 'subscribers' },
  },
};
