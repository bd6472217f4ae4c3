import { computeComponentStates } from '../../src/components/component.states.js';
import { type NoticeState, type NoticeType, presentStates } from '../../src/notices/notice.states.js';
import { createNoticePath } from '../../src/notices/notice-text.rules.js';
import { defaultColours } from '../../src/pages/branding/colour.js';
import type { Locale } from '../../src/i18n/locales.js';
import {
  completeRendering,
  type PublicRoute,
  type RenderedResponse,
  type RouteParameters,
} from '../../src/status-page/routing/public-route.js';
import type {
  NoticeCounts,
  PageSnapshot,
  SnapshotComponent,
  SnapshotNotice,
  SnapshotPage,
  SnapshotUpdate,
} from '../../src/status-page/view/snapshot.js';
import { buildView } from '../../src/status-page/view/build-view.js';
import type { PageView, Mount } from '../../src/status-page/view/view.js';

/** The moment of all views: tests that render without a database use these hand-made views. */
export const now = new Date('2026-11-20T14:30:00.000Z');

/** The moment `minutes` before `now`; a negative number is after it. */
export const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

export interface ViewFixture {
  page?: Partial<SnapshotPage>;
  components?: SnapshotComponent[];
  notices?: SnapshotNotice[];
  locale?: Locale;
  mount?: Mount;
  counts?: NoticeCounts;
}

export const defaultMount: Mount = {
  origin: 'https://status.example.com',
  path: '/',
  canonical: 'https://status.example.com/',
};

export const createView = ({ locale = 'en', mount = defaultMount, ...fixture }: ViewFixture = {}): PageView =>
  buildView(createSnapshot(fixture), { now, locale, mount, staleSince: null });

export function createSnapshot({ page, components = [], notices = [], counts }: ViewFixture): PageSnapshot {
  const isPresent = ({ state }: SnapshotNotice) => state !== null && presentStates.includes(state);
  const states = computeComponentStates(
    components,
    new Set(notices.filter(isPresent).flatMap(({ componentIds }) => componentIds)),
  );
  return {
    readAt: now.toISOString(),
    page: { ...defaultPage, ...page },
    components: components.map(one => ({ ...one, state: states.get(one.id)! })),
    notices: notices.toSorted((one, other) => other.id - one.id),
    counts,
    brand: defaultColours,
    themeVersion: null,
  };
}

const defaultPage: SnapshotPage = {
  id: 'a1b2c3d4',
  name: 'Acme',
  timezone: 'UTC',
  zone: 'Etc/UTC',
  locale: 'en',
  domain: null,
  supportEmail: null,
  supportTelephone: null,
  supportUrl: null,
  metaTitle: null,
  metaDescription: null,
  vendorAnalyticsId: null,
  isVisibleToSearch: true,
  timelineThresholdSeconds: 259_200,
  timelineSortOrder: 'asc',
  createdAt: minutesAgo(100_000),
  updatedAt: minutesAgo(90_000),
};

export function component(id: number, name: string, parentId: number | null = null): SnapshotComponent {
  return {
    id,
    name,
    parentId,
    description: null,
    state: 'operational',
    position: id,
    createdAt: minutesAgo(80_000),
    updatedAt: minutesAgo(80_000),
  };
}

/** A text is an update without a stored state, as in a disk snapshot of an earlier version. */
type UpdateFixture = string | Pick<SnapshotUpdate, 'content' | 'state' | 'shouldPublish' | 'kind' | 'postedAt'>;
type NoticeOverrides = Partial<Omit<SnapshotNotice, 'updates'>> & { updates?: UpdateFixture[] };

/** A notice that began ten minutes before `now`. Its updates follow at intervals of a minute. */
export function notice(
  id: number,
  type: NoticeType,
  state: NoticeState | null,
  { updates = [], subject = `Notice ${id}`, ...overrides }: NoticeOverrides = {},
): SnapshotNotice {
  const isPast = state === null || ['resolved', 'false_alarm', 'complete', 'cancelled'].includes(state);
  const contents = updates.map(update => (typeof update === 'string' ? { content: update } : update));
  const endedAt = type === 'general' ? minutesAgo(10) : minutesAgo(5);
  return {
    id,
    type,
    state,
    subject,
    synopsis: contents[0] ? `${contents[0].content}\n` : '',
    path: createNoticePath(`token00000000${String(id).padStart(3, '0')}`, subject),
    beginsAt: type === 'planned' ? minutesAgo(state === 'scheduled' ? -60 : 10) : null,
    endsAt: type === 'planned' ? minutesAgo(-120) : null,
    beganAt: state === 'scheduled' ? null : minutesAgo(10),
    endedAt: isPast ? endedAt : null,
    createdAt: minutesAgo(10),
    updatedAt: minutesAgo(4),
    tags: [],
    componentIds: [],
    updates: contents.map((update, index) => ({
      id: id * 100 + index,
      ...update,
      createdAt: minutesAgo(10 - index),
      updatedAt: minutesAgo(10 - index),
    })),
    ...overrides,
  };
}

export async function renderRoute(
  route: PublicRoute,
  view: PageView,
  parameters: Partial<RouteParameters> = {},
): Promise<RenderedResponse> {
  const response = await completeRendering(route.render(view, { path: {}, query: {}, ...parameters }));
  if (!response) throw new Error(`${route.path} was not found`);
  return response;
}

export async function renderBody(
  route: PublicRoute,
  view: PageView,
  query: Record<string, string> = {},
): Promise<string> {
  return String((await renderRoute(route, view, { query })).body);
}

/** Texts that break output which is not escaped or truncated correctly. */
export const hostileTexts = [
  ']]><script>alert(1)</script>',
  `"'><x y='&amp;&#0;`,
  'a\r\nEND:VEVENT\rBEGIN:VEVENT\n',
  '\u0000\u0008\u000b\u001f\u007f\u0085\u2028\u2029\uFFFE\uFFFF',
  'half \ud800 and \udc00 of a pair',
  '\\n \\, ; : "',
  '\u202egnp.exe\u202c',
  '😀'.repeat(60),
  'a'.repeat(300),
  'é'.repeat(200),
  '*/ <!-- --> ?> <![CDATA[',
];
