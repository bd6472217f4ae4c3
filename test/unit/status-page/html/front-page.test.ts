import { describe, expect, test } from '@jest/globals';
import { presentStates } from '../../../../src/notices/notice.states.js';
import { frontPage } from '../../../../src/status-page/html/front-page.js';
import { computeDisplayedStates } from '../../../../src/status-page/html/status-icons.js';
import { minutesAgo, component, notice } from '../../../support/page-views.js';
import { completeNow, renderDocument, visibleText } from '../../../support/rendered-page.js';
import {
  arabic,
  empty,
  incident,
  long,
  maintenance,
  operational,
  type SamplePage,
  samplePages,
  buildSampleView,
} from '../../../support/sample-pages.js';

const renderPage = (samplePage: SamplePage) => renderDocument(buildSampleView(samplePage));
const bannerText = (html: string) => visibleText(/<div class="banner".*?<\/strong>/s.exec(html)![0]);

/** The demo page with other components and notices. */
const withNotices = (
  components: ReturnType<typeof component>[],
  notices: ReturnType<typeof notice>[],
  brand = {},
): SamplePage => ({
  ...operational,
  snapshot: { ...operational.snapshot, components, notices, brand: { ...operational.snapshot.brand, ...brand } },
});

describe('the front page', () => {
  test('has its sections in order of urgency', () => {
    const html = renderPage(incident);
    const positions = [
      'class="top"',
      'class="banner"',
      'id="present"',
      'id="components"',
      'id="maintenance"',
      'id="general"',
      'id="past"',
      '<footer',
    ].map(marker => html.indexOf(marker));
    expect(Math.min(...positions)).toBeGreaterThan(0);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  });

  test('leaves out empty sections', () => {
    const html = renderPage(empty);
    for (const section of ['id="present"', 'id="maintenance"', 'id="general"']) expect(html).not.toContain(section);
    expect(visibleText(html)).toContain('Components No components yet');
    expect(bannerText(html)).toBe('No incidents reported');
  });

  test('lists past days since its creation only', () => {
    expect(visibleText(renderPage(empty))).toContain('20 Nov No incidents reported');
  });

  test.each([
    ['operational', operational, 'Meridian Freight status'],
    ['incident', incident, '(!) Degraded – Meridian Freight status'],
    ['maintenance', maintenance, 'Maintenance – Meridian Freight status'],
    ['without a title for search engines', empty, 'Northline'],
  ])('has its state in the document title: %s', (_, samplePage, title) => {
    expect(renderPage(samplePage)).toContain(`<title>${title}</title>`);
  });

  test('has noindex for a page that is hidden from search engines, and a canonical URL', () => {
    const hidden = {
      ...operational,
      snapshot: { ...operational.snapshot, page: { ...operational.snapshot.page, isVisibleToSearch: false } },
    };
    expect(renderPage(hidden)).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(renderPage(operational)).not.toContain('name="robots"');
    expect(renderPage(operational)).toContain('<link rel="canonical" href="https://status.meridian.example/">');
  });

  test('keeps the path of its mount and the chosen language in links', () => {
    const view = buildSampleView(incident, {
      locale: 'de',
      mount: {
        origin: 'https://base.example',
        path: '/status/5e1f00d5/',
        canonical: 'https://status.meridian.example/',
      },
    });
    const html = renderDocument(view);
    const links = [...html.matchAll(/ href="([^"]+)"/g)]
      .map(([, href]) => href!)
      .filter(href => !/^(?:https?:|mailto:|#|\?)/.test(href));
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(link).toMatch(/^\/status\/5e1f00d5\//);
    expect(html).toContain(`href="/status/5e1f00d5/notices/${view.present[0]!.path}?lang=de"`);
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('<b lang="en" dir="auto">Card payments</b>');
  });

  test('has the direction rtl in Arabic', () => {
    expect(renderPage(arabic)).toContain('<html lang="ar" dir="rtl">');
  });

  test('says since when it is out of date, and only then', () => {
    expect(visibleText(renderPage(long))).toContain('This page has not been updated since 20 Nov, 14:50 CET');
    expect(renderPage(operational)).not.toContain('class="stale"');
  });

  test('shows an announcement by its title, without a badge', () => {
    expect(renderPage(operational)).toMatch(/Parcel lockers in the Nordics<\/a><\/h3>/);
  });

  test('shows announcements by the time for which they are made, newest first, like all that is past', () => {
    const announce = (id: number, minutes: number) =>
      notice(id, 'general', null, { beganAt: minutesAgo(minutes), endedAt: minutesAgo(minutes) });
    // As a snapshot has them: by their creation. The last one is back-dated.
    const html = renderPage(withNotices([], [announce(3, 90), announce(2, 30), announce(1, 60)]));
    expect(html.match(/Notice \d(?=<\/a><\/h3>)/g)).toEqual(['Notice 2', 'Notice 1', 'Notice 3']);
  });

  test("shows maintenance with its window in the page's time zone and UTC, its duration, and a calendar link", () => {
    const html = renderPage(operational);
    const text = visibleText(html);
    expect(text).toContain('Monday, 23 November 2026, 15:30 – 17:00 CET');
    expect(text).toContain('Monday, 23 November 2026, 14:30 – 16:00 UTC');
    expect(text).toContain('1 hour, 30 minutes');
    const { path } = buildSampleView(operational).future[0]!;
    expect(html).toContain(`href="/calendar.ics?notice=${path.slice(0, 16)}"`);
  });

  test('shows the dates of a series on one card, and another card for what differs', () => {
    const patchDay = (id: number, days: number, overrides = {}) =>
      notice(id, 'planned', 'scheduled', {
        subject: 'Patch day',
        updates: ['We install patches.'],
        beginsAt: minutesAgo(-1440 * days),
        endsAt: minutesAgo(-1440 * days - 60),
        ...overrides,
      });
    const further = [patchDay(2, 8), patchDay(3, 15)];
    const others = [
      patchDay(4, 22, { updates: ['We install more patches.'] }),
      patchDay(5, 29, { componentIds: [1] }),
      patchDay(6, 36, { endsAt: minutesAgo(-1440 * 36 - 90) }),
    ];
    const html = renderPage(withNotices([component(1, 'Shop')], [patchDay(1, 1), ...further, ...others]));
    expect(html.match(/<h3>.*?Patch day<\/a><\/h3>/g)).toHaveLength(4);
    const [, dates] = /<summary>Further dates: 2<\/summary>(.*?)<\/details>/s.exec(html)!;
    expect(dates!.match(/href="[^"]*"/g)).toEqual(further.map(({ path }) => `href="/notices/${path}"`));
    expect(visibleText(dates!)).toContain('Saturday, 28 November 2026, 15:30 – 16:30 CET');
  });

  test("shows the window of a maintenance once where the page's time zone shows UTC", () => {
    const { snapshot } = operational;
    const london = { ...operational, snapshot: { ...snapshot, page: { ...snapshot.page, zone: 'Europe/London' } } };
    const text = visibleText(renderPage(london));
    expect(text).toContain('Monday, 23 November 2026, 14:30 – 16:00 GMT');
    expect(text).not.toContain('UTC');
  });

  test('has no heading for past notices while none has ended and no day was quiet', () => {
    const createdToday = { ...operational.snapshot.page, createdAt: minutesAgo(120) };
    const sample = withNotices([component(1, 'Shop')], [notice(1, 'unplanned', 'investigating')]);
    const html = renderPage({ ...sample, snapshot: { ...sample.snapshot, page: createdToday } });
    expect(html).not.toContain('id="past"');
    expect(html).toContain('href="/history"');
  });

  test('has an absolute time for each relative one', () => {
    const html = renderPage(incident);
    const relativeTimes = [...html.matchAll(/<span data-(?:ago|since)="([^"]+)"/g)];
    expect(relativeTimes.length).toBeGreaterThan(0);
    for (const [, moment] of relativeTimes) expect(html).toContain(`<time datetime="${moment}"`);
  });

  test.each(['asc', 'desc'] as const)('folds older updates below the newest in sort order %s', order => {
    const { snapshot } = incident;
    const card = /<article class="card edge.*?<\/article>/s.exec(
      renderPage({ ...incident, snapshot: { ...snapshot, page: { ...snapshot.page, timelineSortOrder: order } } }),
    )![0];
    expect(card).toMatch(/class="update warn".*<time datetime="2026-11-20T14:12.*class="fold"/s);
    expect(visibleText(card)).toContain('· Degraded 18 minutes ago · 20 Nov, 15:12 CET The processor');
    expect(visibleText(card)).toContain('1 earlier update Investigating · 47 minutes ago');
  });

  test.each([
    [['Found.'], '<a href="/notices/token00000000001-card">2 earlier updates</a>'],
    [
      ['Seen.', 'Found.'],
      '<summary>1 earlier update</summary>.*<a href="/notices/token00000000001-card">1 earlier update</a>',
    ],
  ])('links to the page of a notice for updates that its card lacks, with %j', (updates, expected) => {
    const path = 'token00000000001-card';
    const render = (updateCount: number) =>
      renderPage(withNotices([], [notice(1, 'unplanned', 'identified', { path, updates, updateCount })]));
    expect(render(3)).toMatch(new RegExp(expected, 's'));
    expect(render(updates.length)).not.toMatch(new RegExp(expected, 's'));
  });

  test('was last updated when its latest content changed, not when it was rendered', () => {
    expect(visibleText(renderPage(incident))).toContain('Last updated 20 Nov, 15:12 CET');
  });

  test('shows a year only where it is not the current one', () => {
    const lastYear = notice(1, 'unplanned', 'investigating', { beganAt: '2025-12-31T10:00:00.000Z' });
    expect(visibleText(renderPage(withNotices([], [lastYear])))).toContain('Started 31 Dec 2025, 11:00 CET');
  });

  test('folds open notices from the third on to a row each', () => {
    const html = renderPage(
      withNotices(
        [],
        [1, 2, 3, 4].map(id => notice(id, 'unplanned', 'investigating')),
      ),
    );
    expect(html.match(/<article class="card edge/g)).toHaveLength(2);
    expect(html.match(/<details class="card edge/g)).toHaveLength(2);
  });

  test('names the parent of an affected component, and the impact', () => {
    const components = [component(1, 'Storage'), component(2, 'Search'), component(3, 'EU', 1), component(4, 'EU', 2)];
    const named = notice(1, 'unplanned', 'investigating', { componentIds: [1, 4] });
    const chips = /<ul class="chips".*?<\/ul>/s.exec(renderPage(withNotices(components, [named])))![0];
    expect(visibleText(chips)).toBe('Storage · Degraded Search › EU · Degraded');
  });

  test('says the state and the time of a new incident once', () => {
    const updates = [{ content: 'We are looking into it.', state: 'investigating' as const }];
    const named = { ...notice(1, 'unplanned', 'investigating', { updates }), beganAt: minutesAgo(10) };
    const [card] = /<article class="card.*?<\/article>/s.exec(renderPage(withNotices([], [named])))!;
    expect(card!.match(/Investigating/g)).toHaveLength(1);
    expect(card!.match(/<time/g)).toHaveLength(1);
    const begun = { ...named, beganAt: minutesAgo(0) };
    expect(renderPage(withNotices([], [named]))).toContain('Duration so far');
    expect(renderPage(withNotices([], [begun]))).not.toContain('Duration so far');
  });
});

describe('the banner', () => {
  test.each(Object.entries(samplePages))(
    'agrees with the list of components on the sample page %s',
    (_, samplePage) => {
      const view = buildSampleView(samplePage);
      const html = renderDocument(view);
      const states = new Set(computeDisplayedStates(view).values());
      if (view.banner.kind === 'operational') {
        expect(view.present).toEqual([]);
        expect([...states]).toEqual([]);
      }
      if (view.banner.kind === 'maintenance') expect([...states]).toEqual(['maintenance']);
      expect(html.includes('class="card edge')).toBe(view.banner.kind !== 'operational');
    },
  );

  test('shows the incident over maintenance, while each component has its own state', () => {
    const components = [component(1, 'Shop'), component(2, 'Mail'), component(3, 'Cart', 1)].map(one => ({
      ...one,
      state: 'degraded' as const,
    }));
    const html = renderPage(
      withNotices(components, [
        notice(1, 'planned', 'underway', { componentIds: [2] }),
        notice(2, 'unplanned', 'identified', { componentIds: [3] }),
      ]),
    );
    expect(bannerText(html)).toBe('Degraded: Cart');
    const states = [...html.matchAll(/<span class="state (\S+)">/g)].map(([, state]) => state);
    expect(states).toEqual(['partially-degraded', 'degraded', 'maintenance']);
  });

  test.each([
    [{}, 'Some systems are degraded', 'degraded'],
    [{ 1: 'partial-outage' }, 'Partial outage: Shop', 'partial-outage'],
    [{ 1: 'partial-outage', 2: 'partial-outage' }, 'Partial outage of all systems', 'partial-outage'],
    [{ 1: 'partial-outage', 2: 'major-outage' }, 'Major outage: Mail', 'major-outage'],
    [{ 1: 'major-outage', 2: 'major-outage' }, 'All systems are down', 'major-outage'],
  ] as const)('names the worst impact: %j', (impacts, sentence, state) => {
    const components = [component(1, 'Shop'), component(2, 'Mail'), component(3, 'Cart', 1)];
    const named = notice(1, 'unplanned', 'identified', { componentIds: [1, 2], impacts });
    const html = renderPage(
      withNotices(state === 'degraded' ? [...components, component(4, 'Map')] : components, [named]),
    );
    expect(bannerText(html)).toBe(sentence);
    expect(html).toContain(`<main id="main" class="in" tabindex="-1" data-state="${state}">`);
    expect(html).toContain(`<span class="state ${state}">`);
    expect(html).toContain('<span class="state partially-degraded">');
  });

  test('has the state of an outage in the chips and the title, and in the past days', () => {
    const components = [component(1, 'Shop'), component(2, 'Mail')];
    const named = notice(1, 'unplanned', 'identified', { componentIds: [1, 2], impacts: { 2: 'major-outage' } });
    const html = renderPage(withNotices(components, [named]));
    expect(visibleText(/<ul class="chips".*?<\/ul>/s.exec(html)![0])).toBe('Shop · Degraded Mail · Major outage');
    expect(html).toContain('<title>(!) Major outage – ');
    expect(html).toContain('aria-label="Last 90 days: Major outage: 1 day');
    expect(html).toContain('title="20 Nov: Major outage, 10 minutes"');
  });

  test.each([
    [[1, 2], 'Shop · Mail'],
    [[1, 2, 3, 4], 'Shop · Mail · +2'],
  ])('names some of several components: %j', (componentIds, names) => {
    const components = ['Shop', 'Mail', 'Cart', 'Map', 'Search'].map((name, index) => component(index + 1, name));
    const html = renderPage(withNotices(components, [notice(1, 'unplanned', 'identified', { componentIds })]));
    expect(visibleText(/<div class="banner".*?<\/div>/s.exec(html)![0])).toContain(
      `Some systems are degraded ${names}`,
    );
  });

  test('is not operational while a notice is present that names no component', () => {
    for (const state of presentStates.filter(one => one !== 'underway')) {
      expect(bannerText(renderPage(withNotices([component(1, 'Shop')], [notice(1, 'unplanned', state)])))).toBe(
        'We are experiencing problems',
      );
    }
  });
});

describe('the table of days', () => {
  const renderDegraded = (count: number, notices: number) =>
    renderPage(
      withNotices(
        [
          component(1, 'Everything'),
          ...Array.from({ length: count - 1 }, (_, index) => component(index + 2, `Part ${index}`, 1)),
        ],
        Array.from({ length: notices }, (_, index) =>
          notice(notices - index, 'unplanned', 'investigating', {
            componentIds: [1],
            beganAt: '2026-08-01T00:00:00.000Z',
          }),
        ),
      ),
    );

  test('lists three notices per day, and links to the others of the month', () => {
    const day = /<li><p>19 Nov: .*?<\/ul>/s.exec(renderDegraded(2, 12))![0];
    expect(day.match(/href="\/notices\//g)).toHaveLength(3);
    expect(day).toContain('<a href="/history/2026-11?component=2">+9</a>');
    expect(renderDegraded(2, 3)).not.toContain('/history/2026-11?component=2');
  });

  test('is shown for the first 16 components only, so that the page stays below 2.5 MB', () => {
    const html = renderDegraded(1_000, 1_000);
    expect(html.match(/<ul popover/g)).toHaveLength(16 * 18);
    expect(html).toContain('<p class="days"><a href="/history?component=1000">90 days partially degraded</a></p>');
    expect(html.match(/aria-label="Last 90 days: 90 days partially degraded"/g)).toHaveLength(999);
    for (const [, name] of html.matchAll(/<use href="#(b\d+)"/g))
      expect(html).toContain(`<g id="${name}" class="bar"><path`);
    expect(html.length).toBeLessThan(2_500_000);
  });
});

test('components without an outage share the cells of one bar', () => {
  const components = Array.from({ length: 40 }, (_, index) => component(index + 1, `Part ${index}`));
  const outage = notice(1, 'unplanned', 'resolved', { componentIds: [40] });
  const html = renderPage(withNotices(components, [outage]));
  expect(html.match(/<g id="b\d+" class="bar">/g)).toEqual(['<g id="b1" class="bar">', '<g id="b40" class="bar">']);
  expect(html.match(/<use href="#b1"\/>/g)).toHaveLength(38);
  expect(html.match(/<svg viewBox="0 0 90 28"/g)).toHaveLength(40);
});

test('a page without components does not say that systems are operational', () => {
  const text = visibleText(renderPage(withNotices([], [])));
  expect(text).toContain('No incidents reported Last updated');
  expect(text).not.toContain('operational');
});

test('the dot beside an update has the colour of its state, and that of an outage during one', () => {
  const update = (id: number, state: 'investigating' | 'resolved') => ({
    id,
    content: 'Text',
    state,
    shouldPublish: true,
    createdAt: minutesAgo(9 - id),
    updatedAt: minutesAgo(9 - id),
  });
  const values = { componentIds: [1], updates: [update(1, 'investigating'), update(2, 'resolved')] };
  const tones = (impacts?: Record<number, 'major-outage'>) => {
    const sample = notice(1, 'unplanned', 'investigating', { ...values, impacts });
    return renderPage(withNotices([component(1, 'Shop')], [sample])).match(/class="update [a-z]*"/g);
  };
  expect(tones()).toEqual(['class="update ok"', 'class="update warn"']);
  expect(tones({ 1: 'major-outage' })).toEqual(['class="update ok"', 'class="update down"']);
});

describe('the component tree', () => {
  test('has the days of a component below its bar, and none below that of a group', () => {
    const html = renderPage(incident);
    expect(html).not.toContain('<table>');
    expect(visibleText(html)).not.toContain('1 day partially degraded');
    expect(html.match(/<ul popover/g)!.length).toBeGreaterThan(2);
  });

  test('opens groups with affected components, counts these, and folds the others', () => {
    const html = renderPage(incident);
    const groups = [...html.matchAll(/<li id="c\d+"><details( open="")?><summary>.*?<b[^>]*>([^<]+)/gs)].map(
      ([, open, name]) => [name, Boolean(open)],
    );
    expect(groups).toEqual([
      ['API', false],
      ['Tracking', false],
      ['Live positions', false],
      ['Billing', true],
    ]);
    expect(visibleText(html)).toContain('1 of 2 affected');
  });

  test('shows deep levels as a flat list with the names of their ancestors', () => {
    const text = visibleText(renderPage(long));
    expect(text).toContain('Level 5 › Level 6 › Level 7');
  });

  test('renders 3,000 levels', () => {
    const chain = Array.from({ length: 3000 }, (_, index) => component(index + 1, `Part ${index + 1}`, index || null));
    expect(visibleText(renderPage(withNotices(chain, [])))).toContain('Part 3000');
  });

  test('has a text alternative for the history bar, and a popover for its days with links', () => {
    const html = renderPage(incident);
    expect(html).toContain('aria-label="Last 90 days: 1 day degraded"');
    const [, target] =
      /popovertarget="(\S+)" title="20 Nov: Degraded, 47 minutes" aria-label="20 Nov: Degraded, 47 minutes"/.exec(
        html,
      )!;
    const popover = new RegExp(`<ul popover id="${target}">.*?</ul></li></ul>`, 's').exec(html)![0];
    expect(visibleText(popover)).toBe('20 Nov: Degraded, 47 minutes Some card payments are declined');
    expect(popover).toContain(`href="/notices/${buildSampleView(incident).present[0]!.path}"`);
  });

  test('has a button of five days where one of them had an outage, so that it is wide enough', () => {
    const daysAgo = (days: number) => minutesAgo(days * 1_440);
    const outage = (id: number, days: number) =>
      notice(id, 'unplanned', 'resolved', { componentIds: [1], beganAt: daysAgo(days), endedAt: daysAgo(days - 0.01) });
    const html = renderPage(withNotices([component(1, 'Shop')], [outage(3, 1), outage(2, 3), outage(1, 80)]));
    const buttons = [...html.matchAll(/<button type="button" class="d (\S+ \S+)" [^>]*title="([^"]*)"/g)];
    expect(buttons.map(([, names, title]) => [names, title])).toEqual([
      ['d1 old', '1 Sept: Degraded, 14 minutes'],
      ['d17 new', '17 Nov: Degraded, 14 minutes · 19 Nov: Degraded, 14 minutes'],
    ]);
    expect(html).toContain('.d17{--i:17}');
  });

  test('has each day once in the history bar', () => {
    const bar = /<svg viewBox="0 0 90 28".*?<\/svg>/s.exec(renderPage(incident))![0];
    expect(
      bar.match(/(?:M\S+ 0|m1-28)(?:v28|v4m0|m0 14)/g)!.length - (bar.match(/class="none" d="([^"]*)/g)?.length ?? 0),
    ).toBe(90);
  });

  test('shows the uptime of a component, cut to two decimals, and the rule', () => {
    const outage = notice(1, 'unplanned', 'resolved', {
      componentIds: [1],
      impacts: { 1: 'major-outage' },
      beganAt: minutesAgo(1_440),
      endedAt: minutesAgo(1_439.9),
    });
    const sample = withNotices([component(1, 'Shop'), component(2, 'Mail')], [outage]);
    const { page } = sample.snapshot;
    const components = sample.snapshot.components.map(one => ({ ...one, createdAt: minutesAgo(1_000_000) }));
    const withPage = (shouldShowUptime?: boolean) => ({
      ...sample,
      snapshot: { ...sample.snapshot, components, page: { ...page, shouldShowUptime } },
    });
    const text = visibleText(renderPage(withPage()));
    expect(text).toContain('Shop 99.99% uptime Operational');
    expect(text).toContain('Mail 100% uptime Operational');
    expect(text).toContain('A partial outage counts half.');
    expect(visibleText(renderPage(withPage(false)))).not.toMatch(/uptime/i);
    const young = components.map(one => ({ ...one, createdAt: minutesAgo(6 * 1_440) }));
    expect(visibleText(renderPage({ ...sample, snapshot: { ...sample.snapshot, components: young } }))).not.toMatch(
      /uptime/i,
    );
  });
});

test('an edited update is marked as edited', () => {
  const edited = notice(1, 'unplanned', 'investigating', { updates: ['Once.'] });
  edited.updates[0]!.editedAt = minutesAgo(1);
  expect(visibleText(renderPage(withNotices([], [edited])))).toContain('· edited 20 Nov, 15:29 CET Once.');
  edited.updates[0]!.editedAt = edited.updates[0]!.createdAt;
  expect(visibleText(renderPage(withNotices([], [edited])))).not.toContain('edited');
});

test('an edited update unfolds to its earlier texts, newest first, without a script', () => {
  const edited = notice(1, 'unplanned', 'investigating', { updates: ['Now **right**.'] });
  const revisions = ['Wrong &<script>alert(1)</script>', 'First **wrong**.'].map(content => ({ content }));
  Object.assign(edited.updates[0]!, { editedAt: minutesAgo(1), revisions });
  const page = renderPage(withNotices([], [edited]));
  expect(visibleText(page)).toContain('Now right . edited 20 Nov, 15:29 CET Earlier text Wrong & First wrong .');
  expect(page).not.toContain('alert(1)');
  expect(page).toMatch(/<details class="fold">\s*<summary>edited <time/);
});

describe('the embedded page', () => {
  const renderEmbedded = (embed: string, samplePage: SamplePage = incident) =>
    renderDocument(buildSampleView(samplePage), frontPage, { query: { embed } });

  test.each([
    ['banner', ['class="banner"']],
    ['components,banner', ['class="banner"', 'id="components"']],
    ['notices', ['id="present"']],
    ['maintenance,announcements,past', ['id="maintenance"', 'id="general"', 'id="past"']],
  ])('has the sections %s in the order of the page, and nothing else', (embed, markers) => {
    const html = renderEmbedded(embed);
    const allMarkers = [
      'class="skip"',
      'class="top"',
      'class="banner"',
      'id="present"',
      'id="components"',
      'id="maintenance"',
      'id="general"',
      'id="past"',
      '<footer',
    ];
    const shown = allMarkers.filter(marker => html.includes(marker));
    expect(shown).toEqual(markers);
    expect(shown.map(marker => html.indexOf(marker))).toEqual(
      shown.map(marker => html.indexOf(marker)).toSorted((one, other) => one - other),
    );
  });

  test('opens links outside the frame, and has no analytics', () => {
    const withAnalytics = {
      ...incident,
      snapshot: { ...incident.snapshot, page: { ...incident.snapshot.page, vendorAnalyticsId: 'G-ABC1234567' } },
    };
    expect(renderPage(withAnalytics)).toContain('G-ABC1234567');
    expect(renderEmbedded('banner', withAnalytics)).not.toContain('G-ABC1234567');
    expect(renderEmbedded('banner')).toContain('<base target="_blank">');
    expect(renderPage(incident)).not.toContain('<base');
  });

  test('says that it is out of date', () => {
    const stale = buildSampleView(incident, { staleSince: new Date('2026-11-20T14:00:00Z') });
    expect(renderDocument(stale, frontPage, { query: { embed: 'components' } })).toContain('class="stale"');
  });

  test.each(['nothing', 'banner,', 'banner,banner', 'banner,Components', '__proto__', 'constructor'])(
    'is not found for the unknown sections %s',
    embed => {
      expect(completeNow(frontPage.render(buildSampleView(incident), { path: {}, query: { embed } }))).toBeNull();
    },
  );
});

describe('the bars', () => {
  const legendOf = (html: string) => visibleText(/<ul class="legend.*?<\/ul>/s.exec(html)![0]);

  test('have a legend of the states that occur in them', () => {
    expect(legendOf(renderPage(samplePages.outage))).toContain('Major outage');
    expect(legendOf(renderPage(withNotices([component(1, 'Website')], [])))).not.toMatch(/outage|Degraded|Maintenance/);
  });

  test('show an outage of a few minutes as dark as one of a day', () => {
    const beganAt = minutesAgo(5);
    const impacts = { 1: 'major-outage' } as const;
    const open = notice(1, 'unplanned', 'investigating', { componentIds: [1], beganAt, impacts });
    const html = renderPage(withNotices([component(1, 'Website')], [open]));
    expect(html).toContain('<path class="down"');
    expect(html).not.toMatch(/<path class="down"[^>]*opacity/);
  });
});

test('an affected component has the shortest path that no other has, with its parent', () => {
  const parts = [
    component(1, 'Frankfurt'),
    component(2, 'Network', 1),
    component(3, 'Ingress', 2),
    component(4, 'Oslo'),
    component(5, 'Network', 4),
    component(6, 'Ingress', 5),
    component(7, 'Egress', 5),
  ];
  const html = renderPage(withNotices(parts, [notice(1, 'unplanned', 'identified', { componentIds: [3, 6, 7] })]));
  const chips = visibleText(/<ul class="chips".*?<\/ul>/s.exec(html)![0]);
  expect(chips).toContain('Frankfurt › Network › Ingress');
  expect(chips).toContain('Oslo › Network › Ingress');
  expect(chips).toMatch(/(?<!› )Network › Egress/);
});

test.each<[shape: string, findParent: (id: number) => number | null]>([
  ['in groups of two', id => (id % 2 ? null : id - 1)],
  ['in one group', id => (id === 1 ? null : 1)],
  ['in one group of the deepest list', id => (id === 1 ? null : Math.min(id - 1, 4))],
])('a page with many components %s is rendered in parts, between which others are answered', (_, findParent) => {
  const countParts = (count: number) => {
    const components = Array.from({ length: count }, (_, index) =>
      component(index + 1, 'Storage', findParent(index + 1)),
    );
    const rendering = frontPage.render(buildSampleView(withNotices(components, [])), { path: {}, query: {} });
    return [...(rendering as Iterable<void>)].length;
  };
  expect(countParts(1_000) - countParts(2)).toBe(10);
});
