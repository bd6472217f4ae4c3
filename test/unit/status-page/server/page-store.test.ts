import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { matchRoute } from '../../../../src/status-page/server/match-route.js';
import type { PageGeneration } from '../../../../src/status-page/server/page-generation.js';
import { PageStore } from '../../../../src/status-page/server/page-store.js';
import type { PageSnapshot } from '../../../../src/status-page/view/snapshot.js';
import { createGeneration } from '../../../support/page-generations.js';
import { createView, notice, now } from '../../../support/page-views.js';

const { page, brand } = createView({ page: { createdAt: '2026-01-01T00:00:00.000Z' } });
const createSnapshot = (name: string, id = page.id): PageSnapshot => ({
  readAt: now.toISOString(),
  page: { ...page, id, name },
  brand,
  components: [],
  notices: [],
  themeVersion: null,
});
const route = (path: string) => matchRoute(path, '')!;

let store: PageStore;
let generation: PageGeneration;
beforeEach(() => {
  store = new PageStore();
  generation = createGeneration(createSnapshot('Before'));
  store.setGeneration(generation);
});

/** Answers a request as the handler does. */
async function request(url: string, of = generation) {
  const response = (await store.renderForVisitor(of, 'host', route(url.slice(1))))!;
  store.addRequest(`host ${url}`, { generation: of, response }, 'host', route(url.slice(1)));
  return response;
}

describe('a response', () => {
  test('is rendered once for all requests, also for those at the same time', async () => {
    const render = jest.spyOn(generation, 'render');
    const [first, second] = await Promise.all([request('/feed.json'), request('/feed.json')]);
    expect(second).toBe(first);
    expect(await request('/feed.json')).toBe(first);
    expect(render).toHaveBeenCalledTimes(1);
    expect(store.findRequest('host /feed.json')?.response).toBe(first);
  });

  test('is rendered again for each mount', async () => {
    const atPath = await store.renderForVisitor(generation, 'path', route('feed.json'));
    expect(atPath).not.toBe(await store.renderForVisitor(generation, 'host', route('feed.json')));
  });

  test('is not cached for a URL of more than 512 characters', async () => {
    const url = `/feed.json?x=${'x'.repeat(512)}`;
    store.addRequest(url, { generation, response: await request('/feed.json') }, 'host', route('feed.json'));
    expect(store.findRequest(url)).toBeUndefined();
  });
});

describe('a generation that is superseded, deleted or evicted', () => {
  const invalidations: [name: string, invalidate: () => void | Promise<void>][] = [
    ['superseded', () => store.setGeneration(createGeneration(createSnapshot('After')))],
    ['superseded by a prepared one', () => store.replaceGeneration(createGeneration(createSnapshot('After')))],
    ['deleted', () => store.deleteGeneration(page.id)],
    ['cleared', () => store.clear()],
    [
      'evicted',
      () => {
        for (let id = 0; id < 2_000; id++)
          store.setGeneration(createGeneration(createSnapshot('Other', id.toString(16).padStart(8, '0'))));
      },
    ],
  ];

  test.each(invalidations)('loses all cached responses when %s', async (_name, invalidate) => {
    await request('/feed.json');
    await invalidate();
    expect(store.findRequest('host /feed.json')).toBeUndefined();
    const render = jest.spyOn(generation, 'render');
    await store.renderForVisitor(generation, 'host', route('feed.json'));
    expect(render).toHaveBeenCalledTimes(1);
  });

  test.each(invalidations)('gets no cached response when %s while it renders', async (_name, invalidate) => {
    const answered = request('/feed.json');
    await invalidate();
    await answered;
    expect(store.findRequest('host /feed.json')).toBeUndefined();
  });

  test('leaves the responses of other pages', async () => {
    const other = createGeneration(createSnapshot('Other', '0a0b0c0d'));
    store.setGeneration(other);
    await request('/feed.atom', other);
    store.deleteGeneration(page.id);
    expect(store.findRequest('host /feed.atom')).toBeDefined();
  });
});

test('generations take a bounded number of bytes together, and one that is larger is stored alone', () => {
  store = new PageStore(() => {}, 1_000_000);
  const add = (id: string, length: number) => {
    const notices = [notice(1, 'unplanned', 'investigating', { synopsis: '', updates: ['x'.repeat(length)] })];
    store.setGeneration(createGeneration({ ...createSnapshot('Long', id), notices }));
  };
  for (const id of ['00000001', '00000002', '00000003', '00000004', '00000005']) add(id, 100_000);
  expect(store.getPageIds()).toEqual(['00000005', '00000004', '00000003', '00000002']);
  add('00000006', 2_000_000);
  expect(store.getPageIds()).toEqual(['00000006']);
});

describe('replaceGeneration', () => {
  test('renders the ten most requested routes first, the front page in any case', async () => {
    const paths = [
      'history',
      'feed.rss',
      'feed.atom',
      'feed.json',
      'index.md',
      'llms.txt',
      'robots.txt',
      'sitemap.xml',
    ];
    const months = ['2026-08', '2026-09', '2026-10'].map(month => `history/${month}`);
    for (const path of [...paths, ...months, ''])
      for (let count = 0; count < (path === '' || path === 'feed.json' ? 1 : 2); count++) await request(`/${path}`);
    const next = createGeneration(createSnapshot('After'));
    const rendered: string[] = [];
    const render = next.render.bind(next);
    jest.spyOn(next, 'render').mockImplementation(async (mountType, match) => {
      // The old one is served until the new one is ready.
      expect(store.getGeneration(page.id)).toBe(generation);
      rendered.push(match.key);
      return render(mountType, match);
    });
    await store.replaceGeneration(next);
    expect(store.getGeneration(page.id)).toBe(next);
    expect(rendered).toHaveLength(10);
    expect(rendered[0]).toBe(route('').key);
    expect(rendered).not.toContain(route('feed.json').key);
    const prepared = await store.renderForVisitor(next, 'host', route(''));
    expect(rendered).toHaveLength(10);
    expect(prepared?.variants.identity.body.toString()).toContain('After');
  });

  test('takes a page at once from those who may no longer see it', async () => {
    await request('/');
    const snapshot = createSnapshot('After');
    const access = { by: 'members' as const, version: 1, domainVersions: {} };
    const next = createGeneration({ ...snapshot, page: { ...snapshot.page, access } });
    const render = jest.spyOn(next, 'render');
    const replaced = store.replaceGeneration(next);
    expect(store.getGeneration(page.id)).toBe(next);
    await replaced;
    expect(render).not.toHaveBeenCalled();
  });

  test('does not wait for a picture, which is rendered meanwhile', async () => {
    await request('/og.png');
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const renderSocialImage = jest.fn(() => promise);
    const next = createGeneration(createSnapshot('After'), { renderSocialImage });
    await store.replaceGeneration(next);
    expect(store.getGeneration(page.id)).toBe(next);
    const answered = request('/og.png', next);
    resolve(Buffer.from('picture'));
    expect(String((await answered).variants.identity.body)).toBe('picture');
    expect(renderSocialImage).toHaveBeenCalledTimes(1);
  });
});

describe('the domains', () => {
  test('of a page are forgotten together with the unknown ones', () => {
    store.setPageId('status.one.example', page.id);
    store.setPageId('status.two.example', '0a0b0c0d');
    store.setPageId('unknown.example', '');
    store.deleteDomains(page.id);
    expect(['status.one.example', 'status.two.example', 'unknown.example'].map(one => store.getPageId(one))).toEqual([
      undefined,
      '0a0b0c0d',
      undefined,
    ]);
  });
});
