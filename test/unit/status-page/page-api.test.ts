import { describe, expect, test } from '@jest/globals';
import { completeRendering } from '../../../src/status-page/routing/public-route.js';
import { pageApiRoutes } from '../../../src/status-page/page-api/routes.js';
import { matchRoute } from '../../../src/status-page/server/match-route.js';
import type { PageView } from '../../../src/status-page/view/view.js';
import { component, createView, defaultMount, hostileTexts, minutesAgo, notice } from '../../support/page-views.js';

/** The response at a path below `api/v1/`, with the route that a request for it finds; null is a 404. */
async function render(view: PageView, path: string): Promise<string | null> {
  const [name = '', query = ''] = path.split('?');
  const match = matchRoute(`api/v1/${name}`, query);
  if (!match || !pageApiRoutes.includes(match.route)) throw new Error(`${path} has no route of the page's API`);
  const localized = { ...view, locale: match.locale ?? view.locale };
  const response = await completeRendering(match.route.render(localized, match.parameters));
  if (response) expect(response).toMatchObject({ type: 'application/json; charset=utf-8' });
  return response && String(response.body);
}
const read = async (view: PageView, path: string) => JSON.parse((await render(view, path))!);

const incident = notice(7, 'unplanned', 'identified', {
  componentIds: [2],
  updates: [
    { content: 'We *look*.', state: 'investigating' },
    { content: 'Found it.', state: 'identified' },
  ],
});
const components = [
  component(1, 'Shop'),
  { ...component(2, 'Checkout', 1), description: 'Where you pay' },
  component(3, 'Search'),
  component(4, 'Mail'),
];
const notices = [
  notice(4, 'unplanned', 'resolved', { beganAt: minutesAgo(20_000), endedAt: minutesAgo(19_000) }),
  notice(5, 'planned', 'complete'),
  notice(6, 'general', null, { updates: ['We moved.'] }),
  incident,
  notice(8, 'planned', 'underway', { componentIds: [3] }),
  notice(9, 'planned', 'scheduled', { componentIds: [4] }),
];
const view = createView({ components, notices });
const listIds = async (path: string) =>
  (await read(view, path)).notices.map(({ id }: { id: number }) => id) as number[];

describe('status', () => {
  test('is the page with its state as a word and as a sentence, and the lists with their counts', async () => {
    const body = {
      page: {
        name: 'Acme',
        state: 'degraded',
        state_text: 'Degraded: Checkout',
        url: 'https://status.example.com',
        links: {
          components: { href: '/api/v1/components', count: 4 },
          notices: { href: '/api/v1/notices', count: 6 },
        },
        created_at: minutesAgo(100_000),
        updated_at: minutesAgo(4),
      },
    };
    expect(await render(view, 'status')).toBe(JSON.stringify(body));
    expect(await render(view, 'status.json')).toBe(JSON.stringify(body));
  });

  test.each([
    ['operational', 'without a notice', []],
    ['operational', 'with an announcement and a past incident', [notices[2]!, notices[0]!]],
    ['under_maintenance', 'with maintenance alone', [notices[4]!]],
    ['degraded', 'with an incident and maintenance', [notices[4]!, incident]],
    ['degraded', 'with an incident that names no component', [notice(1, 'unplanned', 'investigating')]],
  ])('has the state %s %s', async (state, _, open) => {
    expect((await read(createView({ components, notices: open }), 'status')).page.state).toBe(state);
  });

  test('is in the requested language', async () => {
    const view = createView({ components: [component(1, 'Shop')] });
    expect((await read(view, 'status?lang=de')).page.state_text).toBe('Alle Systeme in Betrieb');
  });
});

describe('components', () => {
  test('are the components of the page by position, with one of three states', async () => {
    const times = { created_at: minutesAgo(80_000), updated_at: minutesAgo(80_000) };
    const body = {
      components: [
        { id: 1, state: 'degraded', name: 'Shop', description: null, parent_id: null, position: 1, ...times },
        {
          id: 2,
          state: 'degraded',
          name: 'Checkout',
          description: 'Where you pay',
          parent_id: 1,
          position: 2,
          ...times,
        },
        {
          id: 3,
          state: 'under_maintenance',
          name: 'Search',
          description: null,
          parent_id: null,
          position: 3,
          ...times,
        },
        { id: 4, state: 'operational', name: 'Mail', description: null, parent_id: null, position: 4, ...times },
      ],
      meta: { count: 4, total_count: 4, next_page: null },
    };
    expect(await render(view, 'components')).toBe(JSON.stringify(body));
    expect(await render(view, 'components.json')).toBe(JSON.stringify(body));
  });

  test('are degraded when an incident and maintenance name them', async () => {
    const both = createView({
      components,
      notices: [notices[4]!, notice(1, 'unplanned', 'recovering', { componentIds: [3] })],
    });
    expect((await read(both, 'components')).components[2].state).toBe('degraded');
  });
});

describe('notices', () => {
  test('are the newest first, with null for what they do not have', async () => {
    const body = await read(view, 'notices');
    expect(Object.keys(body)).toEqual(['notices', 'meta']);
    expect(body.meta).toEqual({ count: 6, total_count: 6, next_page: null });
    expect(body.notices.map(({ id }: { id: number }) => id)).toEqual([9, 8, 7, 6, 5, 4]);
    expect(JSON.stringify(body.notices[2])).toBe(
      JSON.stringify({
        id: 7,
        type: 'unplanned',
        state: 'identified',
        timeline_state: 'present',
        subject: 'Notice 7',
        url: 'https://status.example.com/notices/token00000000007-notice-7',
        began_at: minutesAgo(10),
        ended_at: null,
        begins_at: null,
        ends_at: null,
        created_at: minutesAgo(10),
        updated_at: minutesAgo(4),
        latest_update: { state: 'identified', content: '<p>Found it.</p>', created_at: minutesAgo(9) },
      }),
    );
    expect(body.notices[0]).toMatchObject({
      type: 'planned',
      state: 'scheduled',
      timeline_state: 'future',
      latest_update: null,
      began_at: null,
      ended_at: null,
      begins_at: minutesAgo(-60),
      ends_at: minutesAgo(-120),
    });
    expect(body.notices[3]).toMatchObject({
      type: 'general',
      state: null,
      timeline_state: 'past_recent',
      ended_at: minutesAgo(10),
      latest_update: { state: null, content: '<p>We moved.</p>' },
    });
    expect(body.notices[5]).toMatchObject({ timeline_state: 'past_distant', ended_at: minutesAgo(19_000) });
  });

  test.each([
    ['filter[timeline_state_eq]=present', [8, 7]],
    ['filter[timeline_state_eq]=future', [9]],
    ['filter[timeline_state_eq]=past', [6, 5, 4]],
    ['filter[timeline_state_eq]=past_distant', [4]],
    ['filter[type_eq]=planned', [9, 8, 5]],
    ['filter[type_eq]=unplanned', [7, 4]],
    ['filter%5Btimeline_state_eq%5D=present&filter%5Btype_eq%5D=unplanned', [7]],
    ['filter[timeline_state_eq]=&filter[type_eq]=', [9, 8, 7, 6, 5, 4]],
    ['filter[type_eq]=other', []],
  ])('are filtered by %s', async (query, ids) => {
    expect(await listIds(`notices?${query}`)).toEqual(ids);
    expect(await listIds(`notices.json?${query}`)).toEqual(ids);
    expect((await read(view, `notices?${query}`)).meta).toEqual({
      count: ids.length,
      total_count: ids.length,
      next_page: null,
    });
  });
});

describe('a list of more than 25', () => {
  const createNotices = (length: number) =>
    Array.from({ length }, (_, index) => notice(index + 1, 'unplanned', 'resolved'));
  const many = createView({
    components: Array.from({ length: 26 }, (_, index) => component(index + 1, `Component ${index + 1}`)),
    notices: createNotices(60),
    mount: { ...defaultMount, path: '/status/a1b2c3d4/' },
  });

  test('has the path of its next page, with the filters, until the last one', async () => {
    const seen: number[] = [];
    let path: string | null =
      '/status/a1b2c3d4/api/v1/notices?filter[timeline_state_eq]=past&filter[type_eq]=unplanned';
    const paths: string[] = [];
    while (path) {
      const { notices: page, meta } = await read(many, path.slice('/status/a1b2c3d4/api/v1/'.length));
      seen.push(...page.map(({ id }: { id: number }) => id));
      expect(meta).toEqual({ count: page.length, total_count: 60, next_page: meta.next_page });
      path = meta.next_page;
      if (path) paths.push(path);
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    const filters = 'filter%5Btimeline_state_eq%5D=past&filter%5Btype_eq%5D=unplanned';
    expect(paths).toEqual([2, 3].map(page => `/status/a1b2c3d4/api/v1/notices?${filters}&page=${page}`));
    expect((await read(many, 'components.json')).meta.next_page).toBe('/status/a1b2c3d4/api/v1/components?page=2');
  });

  test.each([
    ['1', 25],
    ['3', 10],
    ['4', 0],
    ['0', 25],
    ['-1', 25],
    ['x', 25],
    ['', 25],
  ])('has on the page "%s" %i records', async (page, count) => {
    const { meta } = await read(many, `notices?page=${page}`);
    expect(meta.count).toBe(count);
  });

  test('ends where the last page is full', async () => {
    const full = createView({ notices: createNotices(50) });
    expect((await read(full, 'notices')).meta.next_page).toBe('/api/v1/notices?page=2');
    expect((await read(full, 'notices?page=2')).meta).toEqual({ count: 25, total_count: 50, next_page: null });
  });
});

describe('a notice', () => {
  test('has in addition its components and its updates, oldest first', async () => {
    const [listed] = (await read(view, 'notices?filter[type_eq]=unplanned')).notices;
    const { components: all } = await read(view, 'components');
    const body = {
      notice: {
        ...listed,
        components: [all[1]],
        updates: [
          {
            id: 700,
            state: 'investigating',
            content: '<p>We <em>look</em>.</p>',
            created_at: minutesAgo(10),
            updated_at: minutesAgo(10),
          },
          {
            id: 701,
            state: 'identified',
            content: '<p>Found it.</p>',
            created_at: minutesAgo(9),
            updated_at: minutesAgo(9),
          },
        ],
      },
    };
    expect(await render(view, 'notices/7')).toBe(JSON.stringify(body));
    expect(await render(view, 'notices/7.json')).toBe(JSON.stringify(body));
  });

  test('is required to be loaded by its id', () => {
    const { route, parameters } = matchRoute('api/v1/notices/12.json', '')!;
    expect(route.requiredNotices!(parameters, view)).toEqual({ id: 12 });
  });

  test.each(['3', '07', '7x', '7.xml', '-7', '2147483648', '99999999999', 'token00000000007-notice-7', '.json'])(
    'is not found by %s',
    async id => {
      expect(await render(view, `notices/${id}`)).toBeNull();
      if (id === '3') return;
      const { route, parameters } = matchRoute(`api/v1/notices/${id}`, '')!;
      expect(route.requiredNotices!(parameters, view)).toBeNull();
    },
  );
});

test('hostile texts are sanitized HTML in content, and valid JSON everywhere', async () => {
  const hostile = createView({
    page: { name: hostileTexts.join('') },
    components: hostileTexts.map((text, index) => component(index + 1, text)),
    notices: hostileTexts.map((text, index) =>
      notice(index + 1, 'unplanned', 'identified', { subject: text, updates: [text], componentIds: [index + 1] }),
    ),
  });
  const bodies = await Promise.all(['status', 'components', 'notices', 'notices/1'].map(path => render(hostile, path)));
  for (const body of bodies) expect(body).not.toMatch(/\\ud[89a-f]/i);
  const contents = JSON.parse(bodies[2]!).notices.map(
    ({ latest_update }: { latest_update: { content: string } }) => latest_update.content,
  ) as string[];
  expect(
    contents.flatMap(html => html.match(/<\/?[a-z!?][^\s>]*/gi) ?? []).filter(tag => !/^<\/?p$/.test(tag)),
  ).toEqual([]);
  expect(contents).toHaveLength(hostileTexts.length);
});
