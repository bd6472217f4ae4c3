import { defaultColours } from '../../pages/branding/colour.js';
import { type MetricPeriod, metricPeriods, type MetricStep } from '../../pages/metrics/metric-points.js';
import type { PageSnapshot, SnapshotComponent, SnapshotMetric, SnapshotNotice } from '../view/snapshot.js';

/** The current time of the sample pages. */
export const sampleTime = new Date('2026-11-20T14:30:00.000Z');

const at = (minutes: number) => new Date(sampleTime.getTime() + minutes * 60_000).toISOString();
const hour = 60;
const day = 24 * hour;

const component = (
  id: number,
  parentId: number | null,
  name: string,
  state: SnapshotComponent['state'] = 'operational',
): SnapshotComponent => ({
  id,
  parentId,
  name,
  state,
  position: id,
  description: id % 2 ? `What ${name} is for` : null,
  createdAt: at(-400 * day),
  updatedAt: at(-400 * day),
});

function notice(
  id: number,
  type: SnapshotNotice['type'],
  state: SnapshotNotice['state'],
  more: Partial<SnapshotNotice>,
): SnapshotNotice {
  const begins = more.beganAt ?? more.beginsAt ?? at(-3 * day);
  return {
    id,
    type,
    state,
    subject: `Subject of "${type}" & <others>`,
    synopsis: 'What happened, and what is done about it.\n',
    path: `${String(id).padStart(16, 'a')}-subject`,
    beginsAt: null,
    endsAt: null,
    beganAt: null,
    endedAt: null,
    tags: [],
    componentIds: [],
    createdAt: begins,
    updatedAt: begins,
    updates: [1, 2].map(each => ({
      id: id * 10 + each,
      content: `Update **${each}**, with [a link](https://example.com/) and\n\n* a list`,
      createdAt: begins,
      updatedAt: begins,
    })),
    ...more,
  };
}

const components = (states: Record<number, SnapshotComponent['state']> = {}) => [
  component(1, null, 'Website', states[1]),
  component(2, null, 'Regions', states[2]),
  component(3, 2, 'Europe', states[3]),
  component(4, 3, 'Database', states[4]),
  component(5, 2, 'America', states[5]),
];

const past = [
  notice(1, 'unplanned', 'resolved', { beganAt: at(-2 * day), endedAt: at(-2 * day + hour), componentIds: [1] }),
  notice(2, 'planned', 'complete', {
    beginsAt: at(-5 * day),
    endsAt: at(-5 * day + hour),
    beganAt: at(-5 * day),
    endedAt: at(-5 * day + 50),
    componentIds: [4],
  }),
  notice(3, 'general', null, { beganAt: at(-day), endedAt: at(-day) }),
  notice(4, 'unplanned', 'false_alarm', { beganAt: at(-9 * day), endedAt: at(-9 * day + 5) }),
];

/** The last steps of a period, each with two values. */
function points(period: MetricPeriod): MetricStep[] {
  const last = Math.floor(sampleTime.getTime() / 1000 / metricPeriods[period].stepSeconds);
  return [30, 50, 40].map((value, index) => [last - 2 + index, 2 * value, 2, value - 10, value + 10]);
}

const metric = (id: number, more: Partial<SnapshotMetric> = {}): SnapshotMetric => ({
  id,
  name: `Metric ${id} & <others>`,
  unit: 'ms',
  color: '#3b82f6',
  decimalPlaces: 1,
  day: points('day'),
  week: points('week'),
  month: points('month'),
  ...more,
});

const page: PageSnapshot = {
  readAt: sampleTime.toISOString(),
  page: {
    id: 'ab12cd34',
    name: 'Example & Company',
    timezone: 'Berlin',
    zone: 'Europe/Berlin',
    locale: 'en',
    supportEmail: 'help@example.com',
    supportTelephone: '+49 30 123456',
    supportUrl: 'https://example.com/help',
    websiteUrl: 'https://example.com',
    privacyUrl: 'https://example.com/privacy',
    termsUrl: 'https://example.com/terms',
    isVisibleToSearch: true,
    metaTitle: 'How Example is',
    metaDescription: 'Whether our services run',
    vendorAnalyticsId: null,
    domain: null,
    subscriptionOptions: ['email', 'sms'],
    timelineThresholdSeconds: 14 * 86_400,
    timelineSortOrder: 'asc',
    createdAt: at(-400 * day),
    updatedAt: at(-400 * day),
  },
  brand: { ...defaultColours },
  components: components(),
  notices: past,
  metrics: [metric(1), metric(2, { unit: null, day: null })],
  themeVersion: '1',
};

/** Typical pages. A theme is accepted if it renders each of them. The keys appear in messages to authors. */
export const samplePages: Readonly<
  Record<'all operational' | 'an incident' | 'a maintenance' | 'an empty page', PageSnapshot>
> = {
  'all operational': page,
  'an incident': {
    ...page,
    components: components({ 2: 'partially-degraded', 3: 'partially-degraded', 4: 'degraded' }),
    notices: [
      notice(6, 'unplanned', 'identified', { beganAt: at(-32), componentIds: [4] }),
      notice(5, 'unplanned', 'investigating', { beganAt: at(-3 * hour), updates: [] }),
      ...past,
    ],
  },
  'a maintenance': {
    ...page,
    metrics: [metric(3, { day: null, week: null, month: null })],
    components: components({ 1: 'degraded' }),
    notices: [
      notice(8, 'planned', 'underway', { beginsAt: at(-30), endsAt: at(hour), beganAt: at(-29), componentIds: [1] }),
      notice(7, 'planned', 'scheduled', { beginsAt: at(2 * day), endsAt: at(2 * day + hour), componentIds: [3, 5] }),
      ...past,
    ],
  },
  'an empty page': {
    ...page,
    page: {
      ...page.page,
      supportEmail: null,
      supportTelephone: null,
      supportUrl: null,
      metaTitle: null,
      metaDescription: null,
      isVisibleToSearch: false,
    },
    components: [],
    notices: [],
    metrics: null,
  },
};
