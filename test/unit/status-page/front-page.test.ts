import { describe, expect, test } from '@jest/globals';
import { presentStates } from '../../../src/notices/notice.states.js';
import { frontPage } from '../../../src/status-page/html/front-page.js';
import { standingsOf } from '../../../src/status-page/html/status-icons.js';
import { ago, component, notice } from '../../support/page-views.js';
import { documentOf, wordsOf } from '../../support/rendered-page.js';
import {
  arabic,
  empty,
  incident,
  long,
  maintenance,
  operational,
  type Situation,
  situations,
  viewOfSituation,
} from '../../support/sample-pages.js';

const page = (situation: Situation) => documentOf(viewOfSituation(situation));
const banner = (html: string) => wordsOf(/<div class="banner".*?<\/strong>/s.exec(html)![0]);

/** The company of the demonstration with other components and notices. */
const withNotices = (
  components: ReturnType<typeof component>[],
  notices: ReturnType<typeof notice>[],
  brand = {},
): Situation => ({
  ...operational,
  snapshot: { ...operational.snapshot, components, notices, brand: { ...operational.snapshot.brand, ...brand } },
});

describe('the page', () => {
  test('shows its sections in the order of what a worried visitor asks', () => {
    const html = page(incident);
    const places = [
      'class="top"',
      'id="present"',
      'class="banner"',
      'id="components"',
      'id="maintenance"',
      'id="general"',
      'id="past"',
      '<footer',
    ].map(mark => html.indexOf(mark));
    expect(Math.min(...places)).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test('says nothing of what is not there', () => {
    const html = page(empty);
    for (const section of ['id="present"', 'id="components"', 'id="maintenance"', 'id="general"'])
      expect(html).not.toContain(section);
    expect(banner(html)).toBe('All systems operational');
  });

  test('gives no more days than it has lived', () => {
    expect(wordsOf(page(empty))).toContain('No incidents: Friday, 20 November 2026');
  });

  test.each([
    ['operational', operational, 'Meridian Freight status'],
    ['incident', incident, '(!) Degraded – Meridian Freight status'],
    ['maintenance', maintenance, 'Maintenance – Meridian Freight status'],
    ['without a title for search engines', empty, 'Northline'],
  ])('is called by its state in a tab: %s', (_, situation, title) => {
    expect(page(situation)).toContain(`<title>${title}</title>`);
  });

  test('tells search engines to stay away where it should', () => {
    const hidden = {
      ...operational,
      snapshot: { ...operational.snapshot, page: { ...operational.snapshot.page, visibleToSearch: false } },
    };
    expect(page(hidden)).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(page(operational)).not.toContain('name="robots"');
    expect(page(operational)).toContain('<link rel="canonical" href="https://status.meridian.example/">');
  });

  test('stays under its path and in the language that was chosen', () => {
    const view = viewOfSituation(incident, {
      locale: 'de',
      place: {
        origin: 'https://base.example',
        path: '/status/5e1f00d5/',
        canonical: 'https://status.meridian.example/',
      },
    });
    const html = documentOf(view);
    const links = [...html.matchAll(/ href="([^"]+)"/g)]
      .map(([, address]) => address!)
      .filter(address => !/^(?:https?:|mailto:|#|\?)/.test(address));
    expect(links.length).toBeGreaterThan(20);
    for (const link of links) expect(link).toMatch(/^\/status\/5e1f00d5\//);
    expect(html).toContain(`href="/status/5e1f00d5/notices/${view.present[0]!.path}?lang=de"`);
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain('<b lang="en" dir="auto">Card payments</b>');
  });

  test('is mirrored for a language that is written from right to left', () => {
    expect(page(arabic)).toContain('<html lang="ar" dir="rtl">');
  });

  test('says at the top when it could not be refreshed, and only then', () => {
    expect(wordsOf(page(long))).toContain(
      'This page could not be brought up to date since 20 November 2026, 14:50 CET',
    );
    expect(page(operational)).not.toContain('class="stale"');
  });

  test('marks a general notice as in development, as a word beside its title', () => {
    expect(page(operational)).toMatch(
      /Parcel lockers in the Nordics<\/a> <span class="mark">In development<\/span><\/h3>/,
    );
  });

  test('gives a maintenance its window in the zone of the page and in UTC, its length, and an entry for a calendar', () => {
    const html = page(operational);
    const words = wordsOf(html);
    expect(words).toContain('Monday, 23 November 2026, 15:30 – 17:00 CET');
    expect(words).toContain('Monday, 23 November 2026, 14:30 – 16:00 UTC');
    expect(words).toContain('1 hour, 30 minutes');
    const { path } = viewOfSituation(operational).future[0]!;
    expect(html).toContain(`href="/calendar.ics?notice=${path.slice(0, 16)}"`);
  });

  test('gives an absolute time wherever it gives a relative one', () => {
    const html = page(incident);
    const relatives = [...html.matchAll(/<span data-(?:ago|since)="([^"]+)"/g)];
    expect(relatives.length).toBeGreaterThan(0);
    for (const [, moment] of relatives) expect(html).toContain(`<time datetime="${moment}"`);
  });

  test.each([
    ['asc', /class="fold".*class="update"[^>]*><p class="when"><time datetime="2026-11-20T14:12/s],
    ['desc', /class="update"[^>]*><p class="when"><time datetime="2026-11-20T14:12.*class="fold"/s],
  ] as const)('folds older updates on the side from which they come: %s', (order, pattern) => {
    const { snapshot } = incident;
    const card = /<article class="card edge.*?<\/article>/s.exec(
      page({ ...incident, snapshot: { ...snapshot, page: { ...snapshot.page, timelineSortOrder: order } } }),
    )![0];
    expect(card).toMatch(pattern);
    expect(wordsOf(card)).toContain('1 earlier update');
  });
});

describe('the banner', () => {
  test.each(Object.entries(situations))('agrees with the list: %s', (_, situation) => {
    const view = viewOfSituation(situation);
    const html = documentOf(view);
    const states = new Set(standingsOf(view).values());
    if (view.banner.kind === 'operational') {
      expect(view.present).toEqual([]);
      expect([...states]).toEqual([]);
    }
    if (view.banner.kind === 'maintenance') expect([...states]).toEqual(['maintenance']);
    expect(html.includes('class="card edge')).toBe(view.banner.kind !== 'operational');
  });

  test('never speaks of maintenance over a fault, and the list names each by its own cause', () => {
    const components = [component(1, 'Shop'), component(2, 'Mail'), component(3, 'Cart', 1)].map(one => ({
      ...one,
      state: 'degraded' as const,
    }));
    const html = page(
      withNotices(components, [
        notice(1, 'planned', 'underway', { componentIds: [2] }),
        notice(2, 'unplanned', 'identified', { componentIds: [3] }),
      ]),
    );
    expect(banner(html)).toBe('Cart is degraded');
    const states = [...html.matchAll(/<span class="state (\S+)">/g)].map(([, state]) => state);
    expect(states).toEqual(['partially-degraded', 'degraded', 'maintenance']);
  });

  test('is not well while a notice is present that names nothing', () => {
    for (const state of presentStates.filter(one => one !== 'underway')) {
      expect(banner(page(withNotices([component(1, 'Shop')], [notice(1, 'unplanned', state)])))).toBe(
        'We are experiencing problems',
      );
    }
  });
});

describe('the days', () => {
  const troubled = (count: number, notices: number) =>
    page(
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

  test('name three notices each, and lead to the others of the month', () => {
    const row = /<tr><th scope="row"><time datetime="2026-11-19">.*?<\/tr>/s.exec(troubled(1, 12))![0];
    expect(row.match(/href="\/notices\//g)).toHaveLength(3);
    expect(row).toContain('<a href="/history/2026-11?component=1">+9</a>');
    expect(troubled(1, 3)).not.toContain('/history/2026-11?component=1');
  });

  test('are told one by one from the top, as far as a page can bear it', () => {
    const html = troubled(1_000, 1_000);
    expect(html.match(/<tr><th scope="row">/g)).toHaveLength(16 * 90);
    expect(html).toContain('<p class="days"><a href="/history?component=1000">90 days partially degraded</a></p>');
    expect(html.match(/aria-label="Last 90 days: 90 days partially degraded"/g)).toHaveLength(999);
    for (const [, name] of html.matchAll(/<use href="#(b\d+)"/g))
      expect(html).toContain(`<g id="${name}" class="bar"><path`);
    expect(html.length).toBeLessThan(2_500_000);
  });
});

describe('the tree', () => {
  test('is open where something is wrong, says how much of a group, and folded where all is well', () => {
    const html = page(incident);
    const groups = [...html.matchAll(/<li id="c\d+"><details( open="")?><summary>.*?<b[^>]*>([^<]+)/gs)].map(
      ([, open, name]) => [name, Boolean(open)],
    );
    expect(groups).toEqual([
      ['API', false],
      ['Tracking', false],
      ['Live positions', false],
      ['Billing', true],
    ]);
    expect(wordsOf(html)).toContain('1 of 2 affected');
  });

  test('that is deeper than a screen goes on as a list, each behind the names above it', () => {
    const words = wordsOf(page(long));
    expect(words).toContain('Level 5 › Level 6 › Level 7');
  });

  test('is drawn however deep it goes', () => {
    const chain = Array.from({ length: 3000 }, (_, index) => component(index + 1, `Part ${index + 1}`, index || null));
    expect(wordsOf(page(withNotices(chain, [])))).toContain('Part 3000');
  });

  test('says its history in a sentence, and gives the days as a table with links', () => {
    const html = page(incident);
    expect(html).toContain('aria-label="Last 90 days: 1 day degraded"');
    const tables = html.match(/<details class="days"><summary>1 day degraded<\/summary>.*?<\/table>/gs)!;
    expect(wordsOf(tables.at(-1)!)).toContain('20 Nov Degraded 47 minutes Some card payments are declined');
    expect(tables.at(-1)).toContain(`href="/notices/${viewOfSituation(incident).present[0]!.path}"`);
  });

  test('draws each day once', () => {
    const bar = /<svg viewBox="0 0 90 28".*?<\/svg>/s.exec(page(incident))![0];
    expect(bar.match(/v8|h0|v16|v22|v3m0/g)).toHaveLength(90);
  });
});

test('an update that was edited says so', () => {
  const edited = notice(1, 'unplanned', 'investigating', { updates: ['Once.'] });
  edited.updates[0]!.updatedAt = ago(1);
  expect(wordsOf(page(withNotices([], [edited])))).toContain('· edited Once.');
});

describe('in a frame on another site', () => {
  const framed = (embed: string, situation: Situation = incident) =>
    documentOf(viewOfSituation(situation), frontPage, { query: { embed } });

  test.each([
    ['banner', ['class="banner"']],
    ['components,banner', ['class="banner"', 'id="components"']],
    ['notices', ['id="present"']],
    ['maintenance,announcements,past', ['id="maintenance"', 'id="general"', 'id="past"']],
  ])('it shows %s, in the order of the page, and nothing else', (embed, marks) => {
    const html = framed(embed);
    const all = [
      'class="skip"',
      'class="top"',
      'id="present"',
      'class="banner"',
      'id="components"',
      'id="maintenance"',
      'id="general"',
      'id="past"',
      '<footer',
    ];
    const shown = all.filter(mark => html.includes(mark));
    expect(shown).toEqual(marks);
    expect(shown.map(mark => html.indexOf(mark))).toEqual(
      shown.map(mark => html.indexOf(mark)).toSorted((one, other) => one - other),
    );
  });

  test('its links leave the frame, and visits to the other site are not counted', () => {
    const counted = {
      ...incident,
      snapshot: { ...incident.snapshot, page: { ...incident.snapshot.page, vendorAnalyticsId: 'G-ABC1234567' } },
    };
    expect(page(counted)).toContain('G-ABC1234567');
    expect(framed('banner', counted)).not.toContain('G-ABC1234567');
    expect(framed('banner')).toContain('<base target="_blank">');
    expect(page(incident)).not.toContain('<base');
  });

  test('says that it could not be brought up to date', () => {
    const stale = viewOfSituation(incident, { staleSince: new Date('2026-11-20T14:00:00Z') });
    expect(documentOf(stale, frontPage, { query: { embed: 'components' } })).toContain('class="stale"');
  });

  test.each(['nothing', 'banner,', 'banner,banner', 'banner,Components', '__proto__', 'constructor'])(
    'is not there for sections that are not: %s',
    embed => {
      expect(frontPage.draw(viewOfSituation(incident), { path: {}, query: { embed } })).toBeNull();
    },
  );
});
