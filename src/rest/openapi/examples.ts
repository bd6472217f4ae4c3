import type { Schema } from './schemas.js';

/** The examples of the document. A test sends every request, and validates every response against its schema. */
const timestamps = { created_at: '2026-11-02T09:12:44.120Z', updated_at: '2026-11-20T16:03:10.507Z' };

const notice = (id: number, type: string, subject: string) => ({
  id,
  type,
  subject,
  synopsis: 'We are looking into it.\n',
});
const noticeEnd = (slug: string) => ({
  ...timestamps,
  link: `https://status.acme.example/notices/x7k2m9q4t1w8z5c3-${slug}`,
  tag_list: ['database'],
});
const template = {
  id: 'aB3xY9',
  name: 'Slow database',
  subject: 'Slow responses',
  initial_comment: 'We are looking into slow responses.',
};

/** By GraphQL type. */
export const exampleRecords: Record<string, Schema> = {
  Page: {
    id: '3f8a2c1e',
    name: 'Acme',
    timezone: 'London',
    support_email: 'help@acme.example',
    support_telephone: null,
    support_url: 'https://acme.example/help',
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
    endpoint: 'status.acme.example',
    send_notifications_by_email: true,
    send_notifications_by_sms: false,
    send_notifications_by_chat_a: false,
    send_notifications_by_chat_b: false,
    send_notifications_by_social: false,
  },
  Brand: {
    color_state_ok: '#27ae60',
    color_state_warning: '#e67e22',
    color_navbar_background: 'rgba(0,0,0,0.01)',
    color_navbar_links: '#2c3e50',
    color_navbar_button_background: '#2980b9',
    color_header_background: '#F7F8F9',
    color_header_links: '#2980b9',
    color_header_text: '#2c3e50',
    color_body_background: '#FFFFFF',
    color_body_links: '#2980b9',
    color_body_text: '#2c3e50',
    ...timestamps,
  },
  CustomDomain: { type: 'CNAME', from: 'status.acme.example', to: '3f8a2c1e.status.example', ...timestamps },
  Theme: timestamps,
  Component: {
    id: 7,
    state: 'operational',
    name: 'API',
    description: 'The programming interface.',
    position: 1,
    parent_id: null,
    ...timestamps,
  },
  PlannedNotice: {
    ...notice(42, 'planned', 'Database upgrade'),
    state: 'scheduled',
    timeline_state: 'future',
    begins_at: '2027-02-01T22:00:00.000Z',
    ends_at: '2027-02-01T23:30:00.000Z',
    began_at: null,
    ended_at: null,
    should_automate_schedule: true,
    ...noticeEnd('database-upgrade'),
  },
  UnplannedNotice: {
    ...notice(41, 'unplanned', 'Slow responses'),
    state: 'investigating',
    timeline_state: 'present',
    began_at: timestamps.created_at,
    ended_at: null,
    ...noticeEnd('slow-responses'),
  },
  GeneralNotice: {
    ...notice(40, 'general', 'A new status page'),
    timeline_state: 'past_recent',
    began_at: timestamps.created_at,
    ended_at: timestamps.created_at,
    ...noticeEnd('a-new-status-page'),
  },
  NoticeUpdate: { id: 108, content: 'We are **looking into it**.', should_publish: true, ...timestamps },
  PageTemplate: { ...template, ...timestamps },
  ComponentTemplate: { ...template, component_id: '7', ...timestamps },
  Subscriber: {
    id: 12,
    email: 'ada@acme.example',
    phone_number: '+447946000000',
    first_name: 'Ada',
    last_name: null,
    nickname: null,
    company: 'Acme',
    tag_list: 'press,partner',
    ...timestamps,
  },
  TimeZone: { name: 'London', offset: '(GMT+00:00) London' },
  Pagination: { current: 1, previous: null, next: null, per_page: 25, pages: 1, count: 1 },
};

/** By operation and title of the example. */
export const exampleRequests: Record<string, Record<string, Schema>> = {
  CreatePage: {
    page: {
      name: 'Acme',
      timezone: 'London',
      support_email: 'help@acme.example',
      support_telephone: null,
      visible_to_search: true,
    },
  },
  UpdatePage: { change: { meta_title: 'Is Acme up?', timeline_threshold_in_days: 5, timeline_sort_order: 'desc' } },
  UpdateBrand: { colours: { color_state_ok: '#2ecc71', color_header_background: 'rgba(247,248,249,0.9)' } },
  CreateCustomDomain: { domain: { domain: 'status.acme.example' } },
  UpdateTheme: { upload: { zip: '(the bytes of a ZIP archive)' } },
  CreateComponent: {
    component: { name: 'API', description: 'The programming interface.', position: 1, parent_id: null },
  },
  UpdateComponent: { change: { name: 'Public API', parent_id: null } },
  CreateNotice: {
    incident: {
      type: 'unplanned',
      subject: 'Slow responses',
      initial_comment: 'We are **looking into it**.',
      should_publish: true,
      component_ids: [7],
    },
    maintenance: {
      type: 'planned',
      subject: 'Database upgrade',
      initial_comment: 'The database gets a new version.',
      begins_at_date: '2037-02-01',
      begins_at_time: '22:00:00',
      duration_in_minutes: 90,
      should_automate_schedule: true,
    },
    announcement: {
      type: 'general',
      subject: 'A new status page',
      initial_comment: 'Welcome.',
      tag_list: ['news', 'page'],
    },
  },
  UpdateNotice: {
    'next state': {
      state: 'identified',
      additional_comment: 'It is the database.',
      should_publish: true,
      component_ids: [7],
    },
  },
  CreateUpdate: { update: { content: 'It takes a little longer.', should_publish: true } },
  UpdateUpdate: { correction: { content: 'It takes half an hour longer.' } },
  CreateTemplate: {
    template: {
      name: 'Slow database',
      subject: 'Slow responses',
      initial_comment: 'We are looking into it.',
      component_id: '7',
    },
  },
  UpdateTemplate: { change: { subject: 'Very slow responses' } },
  CreateSubscriber: {
    'by e-mail and SMS': {
      email: 'ada@acme.example',
      phone_number: '+44 7946 000000',
      first_name: 'Ada',
      company: 'Acme',
      tag_list: ['press', 'partner'],
      component_ids: [7],
    },
  },
  UpdateSubscriber: { change: { nickname: 'The countess', tag_list: ['press'], component_ids: [7] } },
};

interface Parts {
  $ref?: string;
  type?: string;
  examples?: unknown[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

/** Creates an example from a schema, with its required properties only. */
export function createExample(schema: Schema, named: Record<string, Schema>): unknown {
  const { $ref, type, examples, oneOf, allOf, items, required = [], properties = {} } = schema as Parts;
  const example = (part: Schema) => createExample(part, named);
  if ($ref) return example(named[$ref.split('/').at(-1)!]!);
  if (examples) return examples[0];
  if (oneOf) return example(oneOf[0]!);
  if (allOf) return Object.assign({}, ...allOf.map(example));
  if (items) return [example(items)];
  if (type === 'integer') return 1;
  if (type === 'string') return 'Hello from All Clear';
  return Object.fromEntries(required.map(key => [key, example(properties[key]!)]));
}
