import { componentStates } from '../../src/components/component.states.js';
import { type NoticeState, type NoticeType, presentStates } from '../../src/notices/notice.states.js';
import { pathOf } from '../../src/notices/notice.text.js';
import { defaultColours } from '../../src/branding/colour.js';
import type { Locale } from '../../src/i18n/locales.js';
import type { Asked, Drawing, Face } from '../../src/status-page/server/public-route.js';
import type {
  PageSnapshot,
  SnapshotComponent,
  SnapshotNotice,
  SnapshotPage,
} from '../../src/status-page/view/snapshot.js';
import { type PageView, type Place, viewOf } from '../../src/status-page/view/view.js';

/** Views made by hand, for what is drawn without a database. Where nothing else is said, it is this moment. */
export const now = new Date('2026-11-20T14:30:00.000Z');

/** A moment that many minutes before `now`; after it when negative. */
export const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

export interface Situation {
  page?: Partial<SnapshotPage>;
  components?: SnapshotComponent[];
  notices?: SnapshotNotice[];
  locale?: Locale;
  place?: Place;
}

export const place: Place = {
  origin: 'https://status.example.com',
  path: '/',
  canonical: 'https://status.example.com/',
};

export function viewFor({
  page,
  components = [],
  notices = [],
  locale = 'en',
  place: where = place,
}: Situation = {}): PageView {
  const isPresent = ({ state }: SnapshotNotice) => state !== null && presentStates.includes(state);
  const states = componentStates(
    components,
    new Set(notices.filter(isPresent).flatMap(({ componentIds }) => componentIds)),
  );
  const snapshot: PageSnapshot = {
    readAt: now.toISOString(),
    page: { ...acme, ...page },
    components: components.map(one => ({ ...one, state: states.get(one.id)! })),
    notices: notices.toSorted((one, other) => other.id - one.id),
    brand: defaultColours,
    themeVersion: null,
  };
  return viewOf(snapshot, { now, locale, place: where, staleSince: null });
}

const acme: SnapshotPage = {
  ...{ id: 'a1b2c3d4', name: 'Acme', timezone: 'UTC', zone: 'Etc/UTC', locale: 'en', domain: null },
  ...{
    supportEmail: null,
    supportTelephone: null,
    supportUrl: null,
    metaTitle: null,
    metaDescription: null,
    vendorAnalyticsId: null,
  },
  ...{
    visibleToSearch: true,
    timelineThreshold: 259_200,
    timelineSortOrder: 'asc',
    createdAt: ago(100_000),
    updatedAt: ago(90_000),
  },
};

export function component(id: number, name: string, parentId: number | null = null): SnapshotComponent {
  return {
    id,
    name,
    parentId,
    description: null,
    state: 'operational',
    createdAt: ago(80_000),
    updatedAt: ago(80_000),
  };
}

type Given = Partial<Omit<SnapshotNotice, 'updates'>> & { updates?: string[] };

/** Begun ten minutes before `now` and told of in the updates, a minute between them. */
export function notice(
  id: number,
  type: NoticeType,
  state: NoticeState | null,
  { updates = [], subject = `Notice ${id}`, ...given }: Given = {},
): SnapshotNotice {
  const isOver = state === null || ['resolved', 'false_alarm', 'complete', 'cancelled'].includes(state);
  const ended = type === 'general' ? ago(10) : ago(5);
  return {
    ...{ id, type, state, subject, synopsis: updates[0] ? `${updates[0]}\n` : '' },
    path: pathOf(`token00000000${String(id).padStart(3, '0')}`, subject),
    beginsAt: type === 'planned' ? ago(state === 'scheduled' ? -60 : 10) : null,
    endsAt: type === 'planned' ? ago(-120) : null,
    beganAt: state === 'scheduled' ? null : ago(10),
    endedAt: isOver ? ended : null,
    createdAt: ago(10),
    updatedAt: ago(4),
    tags: [],
    componentIds: [],
    updates: updates.map((content, index) => ({
      id: id * 100 + index,
      content,
      createdAt: ago(10 - index),
      updatedAt: ago(10 - index),
    })),
    ...given,
  };
}

export async function draw(face: Face, view: PageView, asked: Partial<Asked> = {}): Promise<Drawing> {
  const drawing = await face.draw(view, { path: {}, query: {}, ...asked });
  if (!drawing) throw new Error(`${face.path} is not there`);
  return drawing;
}

export async function bodyOf(face: Face, view: PageView, query: Record<string, string> = {}): Promise<string> {
  return String((await draw(face, view, { query })).body);
}

/** What texts may hold that breaks careless writers. */
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
