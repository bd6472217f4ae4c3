import { describe, expect, test } from '@jest/globals';
import { atomFeed } from '../../../../src/status-page/feeds/atom.js';
import { jsonFeed } from '../../../../src/status-page/feeds/json-feed.js';
import { rssFeed } from '../../../../src/status-page/feeds/rss.js';
import { computeDisplayedStates } from '../../../../src/status-page/html/status-icons.js';
import { indexMarkdown } from '../../../../src/status-page/text/index-markdown.js';
import { createVariables } from '../../../../src/status-page/themes/variables.js';
import { pastDays } from '../../../../src/status-page/view/past-days.js';
import {
  noticeLimits,
  type SnapshotNotice,
  type SnapshotUpdate,
  updateLimits,
} from '../../../../src/status-page/view/snapshot.js';
import { buildView } from '../../../../src/status-page/view/build-view.js';
import type { PageView } from '../../../../src/status-page/view/view.js';
import {
  component,
  createSnapshot,
  createView,
  defaultMount,
  minutesAgo,
  notice,
  now,
  renderBody,
  type ViewFixture,
} from '../../../support/page-views.js';
import { renderDocument, visibleText } from '../../../support/rendered-page.js';

/** Resolved incidents, an hour apart, the first of which ended an hour ago. */
const createPast = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    notice(index + 1, 'unplanned', 'resolved', {
      beganAt: minutesAgo(index * 60 + 70),
      endedAt: minutesAgo(index * 60 + 60),
    }),
  );
const createOmitting = (fixture: ViewFixture = {}): PageView =>
  createView({
    notices: [
      ...createPast(noticeLimits.past),
      notice(1001, 'unplanned', 'investigating'),
      notice(1002, 'planned', 'scheduled'),
      notice(1003, 'general', null),
    ],
    counts: { present: 1_235, future: 3, general: 1, past: 20_151 },
    ...fixture,
  });
const view = createOmitting();

describe('a notice', () => {
  const limit = updateLimits.ofList.count;
  const createResolved = (count: number, updateCount?: number) =>
    notice(1, 'unplanned', 'resolved', { updates: Array(count).fill('Hm'), updateCount });
  const isWholeInView = (resolved: SnapshotNotice) => createView({ notices: [resolved] }).notices[0]!.isWhole;
  const isWhole = (count: number, updateCount?: number) => isWholeInView(createResolved(count, updateCount));

  test('is whole with as many updates as it has', () => {
    expect([isWhole(limit, limit), isWhole(limit, limit + 1), isWhole(1, 2)]).toEqual([true, false, false]);
  });

  test('is whole with the earlier texts of an update that was edited', () => {
    const edit = (revisions: SnapshotUpdate['revisions']) => {
      const resolved = createResolved(1, 1);
      return isWholeInView({ ...resolved, updates: [{ ...resolved.updates[0]!, editedAt: minutesAgo(1), revisions }] });
    };
    expect([edit([{ content: 'Hmm' }]), edit(null)]).toEqual([true, false]);
  });

  test('of a snapshot that does not say how many it has, is whole with fewer updates than the limit', () => {
    expect([isWhole(limit - 1), isWhole(limit)]).toEqual([true, false]);
  });
});

describe('a page with more notices than it shows', () => {
  test('counts those that it omits', () => {
    expect(view.omitted).toEqual({ present: 1_234, future: 2, general: 0, past: 20_001 });
  });

  test('says how many, linked to the open ones and to the history, in the section of each', () => {
    const html = renderDocument(view);
    const links = [...html.matchAll(/<a class="more" href="([^"]*)">([^<]*more notices?)</g)].map(
      ([, ...link]) => link,
    );
    expect(links).toEqual([
      ['/notices', '1,234 more notices'],
      ['/notices', '2 more notices'],
      ['/history', '20,001 more notices'],
    ]);
    expect(visibleText(renderDocument(createOmitting({ locale: 'ru' })))).toContain('Ещё 20 001 уведомление');
    expect(renderDocument(createOmitting({ locale: 'de' }))).toContain('href="/notices?lang=de"');
  });

  test('lists no day before the oldest notice that it shows, and none of those as quiet', () => {
    const days = pastDays(view).map(entry => ('day' in entry ? entry.day : entry.from));
    expect(days.at(-1)).toBe('2026-11-14');
    expect(pastDays({ ...view, omitted: { ...view.omitted, past: 0 } }).at(-1)).toEqual({
      from: '2026-11-13',
      to: '2026-11-13',
    });
  });

  test('says so in Markdown', async () => {
    const text = await renderBody(indexMarkdown, view);
    expect(text).toContain('[1,234 more notices](https://status.example.com/notices)');
    expect(text).toContain('[20,001 more notices](https://status.example.com/history)');
  });

  test('links to the others in its feeds', async () => {
    for (const feed of [atomFeed, rssFeed]) {
      const links = [...(await renderBody(feed, view)).matchAll(/rel="related".* title="([^"]*)" href="([^"]*)"/g)];
      expect(links.map(([, ...link]) => link)).toEqual([
        ['1,236 more notices', 'https://status.example.com/notices'],
        ['20,001 more notices', 'https://status.example.com/history'],
      ]);
    }
    expect(JSON.parse(await renderBody(jsonFeed, view))._omitted).toEqual([
      { title: '1,236 more notices', url: 'https://status.example.com/notices' },
      { title: '20,001 more notices', url: 'https://status.example.com/history' },
    ]);
  });

  test('tells themes', () => {
    expect((createVariables(view).page as { notices: object }).notices).toMatchObject({
      omitted: {
        present: 1_234,
        future: 2,
        past: 20_001,
        open_url: 'https://status.example.com/notices',
        past_url: 'https://status.example.com/history',
      },
    });
  });
});

describe('a page with as many notices as it shows', () => {
  test('omits none, also when some have become too old since they were counted', async () => {
    const notices = [...createPast(5), notice(1001, 'unplanned', 'investigating')];
    const complete = createView({ notices, counts: { present: 1, future: 0, general: 9, past: 30 } });
    expect(complete.omitted).toEqual({ present: 0, future: 0, general: 0, past: 0 });
    expect(complete.isComplete).toBe(true);
    expect(renderDocument(complete)).not.toContain('more notice');
    expect(await renderBody(atomFeed, complete)).not.toContain('rel="related"');
    expect(JSON.parse(await renderBody(jsonFeed, complete))).not.toHaveProperty('_omitted');
  });
});

describe('a component that only an omitted notice names', () => {
  const components = [component(1, 'Cards'), component(2, 'Search'), component(3, 'Mail')];
  const createDegraded = (type: 'unplanned' | 'planned') => {
    const state = type === 'planned' ? 'underway' : 'identified';
    const counts = { present: 3, future: 0, general: 0, past: 0 };
    const snapshot = createSnapshot({
      components,
      counts,
      notices: [
        notice(1, 'unplanned', 'investigating', { componentIds: [1] }),
        notice(2, type, state, { componentIds: [1, 2] }),
        notice(3, type, state, { componentIds: [3] }),
      ],
    });
    const shown = snapshot.notices.filter(({ id }) => id < 3);
    return buildView({ ...snapshot, notices: shown }, { now, locale: 'en', mount: defaultMount, staleSince: null });
  };

  test.each([
    ['an incident', 'unplanned', 'degraded', 'All systems are degraded'],
    ['maintenance, as one that is shown', 'planned', 'maintenance', 'Degraded: Cards'],
  ] as const)('is shown as named by %s', (_, type, state, banner) => {
    const degraded = createDegraded(type);
    expect(computeDisplayedStates(degraded).get(3)).toBe(state);
    expect(visibleText(renderDocument(degraded))).toContain(banner);
  });
});
