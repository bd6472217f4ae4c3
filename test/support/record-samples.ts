import { expect } from '@jest/globals';
import { anyTimestamp } from './record-rules.js';

/** Records of /v1 as they are created with the least values, in the order of its reference, and all values to send. */

const timestamps = { created_at: anyTimestamp, updated_at: anyTimestamp };

export const freshPage = {
  id: expect.stringMatching(/^[0-9a-f]{8}$/),
  name: 'Acme',
  timezone: 'UTC',
  support_email: null,
  support_telephone: null,
  support_url: null,
  visible_to_search: true,
  meta_title: null,
  meta_description: null,
  vendor_analytics_id: null,
  ...timestamps,
  state: 'operational',
  timeline_threshold: 259200,
  timeline_threshold_in_days: 3,
  timeline_sort_order: 'asc',
  locale: 'en',
  endpoint: expect.stringMatching(/^[0-9a-f]{8}\.localhost$/),
  send_notifications_by_email: false,
  send_notifications_by_sms: false,
  send_notifications_by_chat_a: false,
  send_notifications_by_chat_b: false,
  send_notifications_by_social: false,
};

export const customPage = {
  timezone: 'London',
  support_email: 'help@acme.example',
  support_telephone: '+44 20 7946 0000',
  support_url: 'https://help.acme.example/start',
  visible_to_search: false,
  meta_title: 'A & B',
  meta_description: 'How Acme is doing',
  vendor_analytics_id: 'G-AB12CD34EF',
  timeline_threshold: 100000,
  timeline_sort_order: 'desc',
  locale: 'pt-BR',
};

export const freshTemplate = {
  id: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
  name: 'Outage',
  subject: null,
  initial_comment: null,
  /** Shown only where it is set. */
  component_id: undefined,
  ...timestamps,
};

export const freshSubscriber = {
  id: expect.any(Number),
  email: 'ada@acme.example',
  phone_number: null,
  first_name: null,
  last_name: null,
  nickname: null,
  company: null,
  tag_list: '',
  ...timestamps,
};

export const customSubscriber = {
  email: 'ada@acme.example',
  phone_number: '+447946000000',
  first_name: 'Ada',
  last_name: 'King',
  nickname: 'Countess',
  company: 'Engines & Co',
  tag_list: 'vip,maths',
};
