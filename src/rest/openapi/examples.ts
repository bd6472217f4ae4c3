import type { Schema } from './schemas.js';

/** The examples of the document. A test sends every request, and validates every response against its schema. */
export const exampleTimestamp = '2026-11-02T09:12:44.120Z';

const notice = (id: number, subject: string, slug: string) => ({
  id,
  subject,
  synopsis: 'We are looking into it.\n',
  link: `https://status.acme.example/notices/x7k2m9q4t1w8z5c3-${slug}`,
  tag_list: ['database'],
});
const template = {
  id: 'aB3xY9',
  name: 'Slow database',
  subject: 'Slow responses',
  initial_comment: 'We are looking into slow responses.',
};

/** By GraphQL type: the values that are worth showing. Every other field gets a value that fits. */
export const exampleRecords: Record<string, Schema> = {
  Page: {
    id: '3f8a2c1e',
    name: 'Acme',
    timezone: 'London',
    support_email: 'help@acme.example',
    support_url: 'https://acme.example/help',
    timeline_threshold_in_days: 3,
    endpoint: 'status.acme.example',
    send_notifications_by_email: true,
  },
  CustomDomain: { type: 'CNAME', from: 'status.acme.example', to: '3f8a2c1e.status.example' },
  Component: { id: 7, name: 'API', description: 'The programming interface.' },
  Metric: {
    id: 3,
    name: 'Response time',
    unit: 'ms',
    color: '#3b82f6',
    decimal_places: 0,
    latest_value: 42.5,
    latest_at: exampleTimestamp,
  },
  PlannedNotice: {
    ...notice(42, 'Database upgrade', 'database-upgrade'),
    state: 'scheduled',
    timeline_state: 'future',
    begins_at: '2027-02-01T22:00:00.000Z',
    ends_at: '2027-02-01T23:30:00.000Z',
    should_automate_schedule: true,
  },
  UnplannedNotice: {
    ...notice(41, 'Slow responses', 'slow-responses'),
    state: 'investigating',
    timeline_state: 'present',
    began_at: exampleTimestamp,
  },
  GeneralNotice: {
    ...notice(40, 'A new status page', 'a-new-status-page'),
    timeline_state: 'past_recent',
    began_at: exampleTimestamp,
    ended_at: exampleTimestamp,
  },
  NoticeUpdate: {
    id: 108,
    content: 'We are **looking into it**.',
    should_publish: true,
    link: `${notice(41, '', 'slow-responses').link}#update-108`,
  },
  PageTemplate: template,
  ComponentTemplate: { ...template, component_id: '7' },
  Subscriber: {
    id: 12,
    email: 'ada@acme.example',
    phone_number: '+447946000000',
    first_name: 'Ada',
    company: 'Acme',
    tag_list: 'press,partner',
  },
  TimeZone: { name: 'London', offset: '(GMT+00:00) London' },
  Pagination: { per_page: 25 },
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
  RecordMetric: { value: { value: 42.5 } },
  UpdateSubscriber: { change: { nickname: 'The countess', tag_list: ['press'], component_ids: [7] } },
};
