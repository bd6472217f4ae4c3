import { componentStates } from '../../src/components/component.states.js';
import {
  type DemoComponent,
  type DemoNotice,
  demoComponents,
  demoNotices,
  demoPage,
} from '../../src/cli/demo/demo-data.js';
import { firstState, presentStates } from '../../src/notices/notice.states.js';
import { pathOf } from '../../src/notices/notice.text.js';
import { plainText } from '../../src/markdown/plain-text.js';
import { defaultColours } from '../../src/branding/colour.js';
import type { Locale } from '../../src/i18n/locales.js';
import type {
  PageSnapshot,
  SnapshotComponent,
  SnapshotNotice,
  SnapshotPage,
} from '../../src/status-page/view/snapshot.js';
import { type Circumstances, type PageView, viewOf } from '../../src/status-page/view/view.js';
import { crowdedComponents, crowdedNotices } from './crowded-page.js';
import { longComponents, longNotices, longPage } from './long-page.js';

/** Whole pages made by hand: the company of the demonstration on good and bad days, and what no company should do. */
export interface Situation {
  snapshot: PageSnapshot;
  circumstances: Circumstances;
}

export const now = new Date('2026-11-20T14:30:00.000Z');
const at = (minutesAgo: number) => new Date(now.getTime() - minutesAgo * 60_000).toISOString();

interface Story {
  page?: Partial<SnapshotPage>;
  brand?: Partial<PageSnapshot['brand']>;
  components: DemoComponent[];
  notices: DemoNotice[];
  staleSince?: Date;
  locale?: Locale;
  path?: string;
}

/** Made as a database would: ids in order, states by the rule, what ended with an end. */
export function situationOf({
  page,
  brand,
  components: tree,
  notices: stories,
  staleSince,
  locale,
  path = '/',
}: Story): Situation {
  const components = flattened(tree);
  const ids = new Map(components.map(({ id, name }) => [name, id]));
  const notices = stories.map((story, index) => noticeOf(story, index + 1, ids)).toReversed();
  const present = notices.filter(({ state }) => state && presentStates.includes(state));
  const states = componentStates(components, new Set(present.flatMap(({ componentIds }) => componentIds)));
  const zone = { timezone: demoPage.timezone, zone: 'Europe/Berlin' };
  const own: SnapshotPage = {
    ...{
      id: '5e1f00d5',
      locale: 'en',
      supportTelephone: null,
      domain: null,
      vendorAnalyticsId: null,
      visibleToSearch: true,
    },
    ...{ timelineThreshold: 7 * 86_400, timelineSortOrder: 'desc', createdAt: at(400_000), updatedAt: at(400_000) },
    ...{ ...demoPage, ...zone, ...page },
  };
  const origin = 'https://status.meridian.example';
  return {
    snapshot: {
      readAt: now.toISOString(),
      page: own,
      brand: { ...defaultColours, ...brand },
      components: components.map(component => ({ ...component, state: states.get(component.id)! })),
      notices,
      themeVersion: null,
    },
    circumstances: {
      now,
      locale: locale ?? own.locale,
      place: { origin, path, canonical: `${origin}/` },
      staleSince: staleSince ?? null,
    },
  };
}

export const viewOfSituation = ({ snapshot, circumstances }: Situation, other: Partial<Circumstances> = {}): PageView =>
  viewOf(snapshot, { ...circumstances, ...other });

function flattened(tree: readonly DemoComponent[]): SnapshotComponent[] {
  const components: SnapshotComponent[] = [];
  const add = (list: readonly DemoComponent[], parentId: number | null) => {
    for (const { name, description = null, parts = [] } of list) {
      const id = components.length + 1;
      components.push({
        id,
        parentId,
        name,
        description,
        state: 'operational',
        createdAt: at(400_000),
        updatedAt: at(400_000),
      });
      add(parts, id);
    }
  };
  add(tree, null);
  return components;
}

function noticeOf(story: DemoNotice, id: number, ids: ReadonlyMap<string, number>): SnapshotNotice {
  const isGeneral = story.type === 'general';
  const moment = (given: Date | undefined) => given?.toISOString() ?? null;
  const updates = story.updates.map(({ text, minutesAgo }, index) => ({
    id: id * 100 + index,
    content: text,
    createdAt: at(minutesAgo),
    updatedAt: at(minutesAgo),
  }));
  return {
    ...{ id, type: story.type, subject: story.subject, state: story.state ?? firstState[story.type] },
    synopsis: updates[0] ? `${plainText(updates[0].content)}\n` : '',
    path: pathOf(`meridianfreigh${String(id).padStart(2, '0')}`, story.subject),
    ...{ beginsAt: moment(story.beginsAt), endsAt: moment(story.endsAt) },
    beganAt: isGeneral ? at(story.minutesAgo) : moment(story.beganAt),
    endedAt: isGeneral ? at(story.minutesAgo) : moment(story.endedAt),
    ...{ createdAt: at(story.minutesAgo), updatedAt: updates.at(-1)?.createdAt ?? at(story.minutesAgo) },
    tags: story.tagList ?? [],
    componentIds: (story.components ?? []).map(name => ids.get(name)!),
    updates,
  };
}

const stories = demoNotices(now.getTime());
const without = (...subjects: string[]) => stories.filter(({ subject }) => !subjects.includes(subject));
const declined = 'Some card payments are declined';
const sea = 'Sea positions: change of provider';

/** The page that `npm run demo` makes. */
export const incident = situationOf({ components: demoComponents, notices: stories });
export const operational = situationOf({ components: demoComponents, notices: without(declined) });
export const maintenance = situationOf({
  components: demoComponents,
  notices: [
    ...without(declined, sea),
    {
      ...stories.find(({ subject }) => subject === sea)!,
      state: 'underway',
      beginsAt: new Date(now.getTime() - 30 * 60_000),
      endsAt: new Date(now.getTime() + 60 * 60_000),
      beganAt: new Date(now.getTime() - 30 * 60_000),
    },
  ],
});
export const empty = situationOf({
  page: {
    name: 'Northline',
    supportEmail: null,
    supportUrl: null,
    metaTitle: null,
    metaDescription: null,
    createdAt: at(60),
  },
  components: [],
  notices: [],
});
export const long = situationOf({
  page: longPage,
  components: longComponents,
  notices: longNotices(now.getTime()),
  staleSince: new Date(now.getTime() - 40 * 60_000),
});
/** 50 components and 10 notices. */
export const crowded = situationOf({ components: crowdedComponents, notices: crowdedNotices(now.getTime()) });
/** A brand with colours of its own, some of which cannot be read on each other. */
export const branded = situationOf({
  components: demoComponents,
  notices: stories,
  brand: {
    ...{ colorStateOk: '#00b894', colorStateWarning: '#ffd32a' },
    ...{ colorNavbarBackground: '#1b1464', colorNavbarLinks: '#3b3b98', colorNavbarButtonBackground: '#ffd32a' },
    ...{ colorHeaderBackground: '#1b1464', colorHeaderLinks: '#ffd32a', colorHeaderText: '#fff' },
    ...{ colorBodyBackground: '#fffaf0', colorBodyLinks: '#ffd32a', colorBodyText: '#1e272e' },
  },
});
export const arabic = situationOf({ page: { locale: 'ar' }, components: demoComponents, notices: stories });

export const situations = { operational, incident, maintenance, empty, long };
