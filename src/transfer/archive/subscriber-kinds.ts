import { z } from 'zod';
import { parseEmailAddress, parsePhoneNumber } from '../../core/address.js';
import { noticeTypes } from '../../notices/notice.states.js';
import { channelNames } from '../../notifications/channels/registry.js';
import { flag, id, integer, type Kind, pageId, parsed, text, time, timestamps } from './kind.js';

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
  subscribers: {
    table: 'subscriber',
    description:
      'Subscribers with the time and the source of their consent. `link_version` counts the confirmation links.',
    fields: {
      id,
      ...timestamps,
      page_id: pageId,
      email: parsed(parseEmailAddress).nullable(),
      phone_number: parsed(parsePhoneNumber).nullable(),
      first_name: text.nullable(),
      last_name: text.nullable(),
      nickname: text.nullable(),
      company: text.nullable(),
      tag_list: z.array(text),
      chose_components: flag,
      chosen_at: time.nullable(),
      confirmed_at: time.nullable(),
      unsubscribed_at: time.nullable(),
      consent_source: text,
      kinds: z.array(z.enum(noticeTypes)),
      link_version: integer,
    },
    order: 'k.id',
    references: { page_id: 'pages' },
  },
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
