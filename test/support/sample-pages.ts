import { computeComponentStates } from '../../src/components/component.states.js';
import {
  type DemoComponent,
  type DemoNotice,
  demoComponents,
  demoNotices,
  demoPage,
} from '../../src/notices/demo/demo-data.js';
import { initialStates, presentStates } from '../../src/notices/notice.states.js';
import { createNoticePath } from '../../src/notices/notice-text.rules.js';
import { toPlainText } from '../../src/content/markdown/plain-text.js';
import { defaultColours } from '../../src/pages/branding/colour.js';
import type { Locale } from '../../src/i18n/locales.js';
import type {
  PageSnapshot,
  SnapshotComponent,
  SnapshotNotice,
  SnapshotPage,
} from '../../src/status-page/view/snapshot.js';
import { type ViewOptions, buildView } from '../../src/status-page/view/build-view.js';
import type { PageView } from '../../src/status-page/view/view.js';
import { crowdedComponents, crowdedNotices } from './crowded-page.js';
import { longComponents, longNotices, longPage } from './long-page.js';

/** A whole page: the demo company in several states, and pages with extreme content. */
export interface SamplePage {
  snapshot: PageSnapshot;
  viewOptions: ViewOptions;
}

export const now = new Date('2026-11-20T14:30:00.000Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

interface SamplePageOptions {
  page?: Partial<SnapshotPage>;
  brand?: Partial<PageSnapshot['brand']>;
  components: DemoComponent[];
  notices: DemoNotice[];
  staleSince?: Date;
  locale?: Locale;
  path?: string;
}

/** Builds the snapshot that the database would return, with sequential ids and computed component states. */
export function createSamplePage({
  page,
  brand,
  components: componentTree,
  notices: demo,
  staleSince,
  locale,
  path = '/',
}: SamplePageOptions): SamplePage {
  const components = flattenTree(componentTree);
  const ids = new Map(components.map(({ id, name }) => [name, id]));
  const snapshotNotices = demo.map((notice, index) => toSnapshotNotice(notice, index + 1, ids)).toReversed();
  const present = snapshotNotices.filter(({ state }) => state && presentStates.includes(state));
  const states = computeComponentStates(components, new Set(present.flatMap(({ componentIds }) => componentIds)));
  const snapshotPage: SnapshotPage = {
    id: '5e1f00d5',
    locale: 'en',
    supportTelephone: null,
    domain: null,
    vendorAnalyticsId: null,
    isVisibleToSearch: true,
    timelineThresholdSeconds: 7 * 86_400,
    timelineSortOrder: 'desc',
    createdAt: minutesAgo(400_000),
    updatedAt: minutesAgo(400_000),
    ...demoPage,
    zone: 'Europe/Berlin',
    ...page,
  };
  const origin = 'https://status.meridian.example';
  return {
    snapshot: {
      readAt: now.toISOString(),
      page: snapshotPage,
      brand: { ...defaultColours, ...brand },
      components: components.map(component => ({ ...component, state: states.get(component.id)! })),
      notices: snapshotNotices,
      themeVersion: null,
    },
    viewOptions: {
      now,
      locale: locale ?? snapshotPage.locale,
      mount: { origin, path, canonical: `${origin}/` },
      staleSince: staleSince ?? null,
    },
  };
}

export const buildSampleView = (
  { snapshot, viewOptions }: SamplePage,
  overrides: Partial<ViewOptions> = {},
): PageView => buildView(snapshot, { ...viewOptions, ...overrides });

function flattenTree(tree: readonly DemoComponent[]): SnapshotComponent[] {
  const components: SnapshotComponent[] = [];
  const add = (siblings: readonly DemoComponent[], parentId: number | null) => {
    for (const [index, { name, description = null, parts = [] }] of siblings.entries()) {
      const id = components.length + 1;
      components.push({
        id,
        parentId,
        name,
        description,
        state: 'operational',
        position: index + 1,
        createdAt: minutesAgo(400_000),
        updatedAt: minutesAgo(400_000),
      });
      add(parts, id);
    }
  };
  add(tree, null);
  return components;
}

function toSnapshotNotice(demo: DemoNotice, id: number, ids: ReadonlyMap<string, number>): SnapshotNotice {
  const isGeneral = demo.type === 'general';
  const toIso = (moment: Date | undefined) => moment?.toISOString() ?? null;
  const createdAt = minutesAgo(demo.minutesAgo);
  const state = demo.state ?? initialStates[demo.type];
  const updates = demo.updates.map((update, index) => ({
    id: id * 100 + index,
    content: update.text,
    state: index === demo.updates.length - 1 ? state : initialStates[demo.type],
    shouldPublish: true,
    createdAt: minutesAgo(update.minutesAgo),
    updatedAt: minutesAgo(update.minutesAgo),
  }));
  return {
    id,
    type: demo.type,
    subject: demo.subject,
    state,
    synopsis: updates[0] ? `${toPlainText(updates[0].content)}\n` : '',
    path: createNoticePath(`meridianfreigh${String(id).padStart(2, '0')}`, demo.subject),
    beginsAt: toIso(demo.beginsAt),
    endsAt: toIso(demo.endsAt),
    beganAt: isGeneral ? createdAt : toIso(demo.beganAt),
    endedAt: isGeneral ? createdAt : toIso(demo.endedAt),
    createdAt,
    updatedAt: updates.at(-1)?.createdAt ?? createdAt,
    tags: demo.tagList ?? [],
    componentIds: (demo.components ?? []).map(name => ids.get(name)!),
    updates,
  };
}

const notices = demoNotices(now.getTime());
const noticesWithout = (...subjects: string[]) => notices.filter(({ subject }) => !subjects.includes(subject));
const declinedSubject = 'Some card payments are declined';
const seaSubject = 'Sea positions: change of provider';

/** The page that `allclear demo` creates. */
export const incident = createSamplePage({ components: demoComponents, notices });
export const operational = createSamplePage({ components: demoComponents, notices: noticesWithout(declinedSubject) });
export const maintenance = createSamplePage({
  components: demoComponents,
  notices: [
    ...noticesWithout(declinedSubject, seaSubject),
    {
      ...notices.find(({ subject }) => subject === seaSubject)!,
      state: 'underway',
      beginsAt: new Date(now.getTime() - 30 * 60_000),
      endsAt: new Date(now.getTime() + 60 * 60_000),
      beganAt: new Date(now.getTime() - 30 * 60_000),
    },
  ],
});
/** A new page without components and notices. */
export const empty = createSamplePage({
  page: {
    name: 'Northline',
    supportEmail: null,
    supportUrl: null,
    metaTitle: null,
    metaDescription: null,
    createdAt: minutesAgo(60),
  },
  components: [],
  notices: [],
});
/** A page with overlong texts and deep nesting that could not be refreshed for 40 minutes. */
export const long = createSamplePage({
  page: longPage,
  components: longComponents,
  notices: longNotices(now.getTime()),
  staleSince: new Date(now.getTime() - 40 * 60_000),
});
/** 50 components and 10 notices. */
export const crowded = createSamplePage({ components: crowdedComponents, notices: crowdedNotices(now.getTime()) });
/** A page with custom colours, some of which have too little contrast with each other. */
export const branded = createSamplePage({
  components: demoComponents,
  notices,
  brand: {
    colorStateOk: '#00b894',
    colorStateWarning: '#ffd32a',
    colorNavbarBackground: '#1b1464',
    colorNavbarLinks: '#3b3b98',
    colorNavbarButtonBackground: '#ffd32a',
    colorHeaderBackground: '#1b1464',
    colorHeaderLinks: '#ffd32a',
    colorHeaderText: '#fff',
    colorBodyBackground: '#fffaf0',
    colorBodyLinks: '#ffd32a',
    colorBodyText: '#1e272e',
  },
});
export const arabic = createSamplePage({ page: { locale: 'ar' }, components: demoComponents, notices });

/** The incident as a major outage, and the earlier ones as partial outages. */
export const outage: SamplePage = {
  ...incident,
  snapshot: {
    ...incident.snapshot,
    notices: incident.snapshot.notices.map(notice => ({
      ...notice,
      impacts: Object.fromEntries(
        notice.componentIds.map(id => [id, notice.endedAt ? ('partial-outage' as const) : ('major-outage' as const)]),
      ),
    })),
  },
};

/** The logo of the page with custom colours. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 190 40" font-family="sans-serif">
<g fill="#ffd32a"><path d="M4 34V10l12 10v14z"/><path d="M20 34V20L32 10v24z" opacity=".7"/></g>
<text x="44" y="29" font-size="26" font-weight="700" fill="#fff">Meridian</text></svg>`;

export const withLogo: SamplePage = {
  ...branded,
  snapshot: {
    ...branded.snapshot,
    images: { logo: { format: 'svg', hash: '0123456789abcdef', width: 190, height: 40 } },
  },
};

export const samplePages = { operational, incident, outage, maintenance, empty, long };
