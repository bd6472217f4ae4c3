import { z } from 'zod';
import { parseEmailAddress, parsePhoneNumber } from '../../core/address.js';
import { channelNames } from '../../notifications/channels/registry.js';
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
