import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ChangeFeed } from '../../../src/db/change-feed.js';
import type { Database } from '../../../src/db/database.js';
import { advanceDueNotices } from '../../../src/notices/automation/notice.automation.js';
import { compressResponse } from '../../../src/status-page/server/compressed-response.js';
import { loadSnapshot } from '../../../src/status-page/view/load-snapshot.js';
import { createAutomatedPage } from '../../support/automated-notices.js';
import { createDiskSnapshots, type PageServer, startPageServer } from '../../support/page-server.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { waitForResponse, type VisitorResponse, requestPage } from '../../support/visitor.js';

const service = useOwnService();
let page: string;
let host: string;
const getPage = (path: string, options?: Parameters<typeof requestPage>[3]) =>
  requestPage(service.url, host, path, options);

beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian Freight' })).id;
  host = `${page}.localhost`;
  await service.post(`/v1/pages/${page}/notices`, {
    subject: 'Payments are slow',
    initial_comment: 'We look into it.',
  });
});

test('the history links to the months before the page was created when it has older notices', async () => {
  const { id } = await createPage(service, { name: 'Old' });
  const times = { began_at: '2021-03-04T05:00:00Z', ended_at: '2021-03-04T06:00:00Z' };
  expect(
    (
      await service.post(`/v1/pages/${id}/notices`, {
        subject: 'Long ago',
        initial_comment: 'It was so.',
        state: 'resolved',
        ...times,
      })
    ).status,
  ).toBe(201);
  expect((await requestPage(service.url, `${id}.localhost`, '/history/2023-07')).text).toContain(
    'href="/history/2023-06" rel="prev"',
  );
  expect((await requestPage(service.url, `${id}.localhost`, '/history/2021-03')).text).not.toContain('rel="prev"');
});

test.each([
  ['/history/?lang=de', '/history?lang=de'],
  ['/feed/', '/feed'],
  ['/api/v1/components.json/', '/api/v1/components.json'],
])('%s redirects to %s, without the slash, for good', async (path, target) => {
  const { status, headers } = await getPage(path);
  expect([status, headers.location]).toEqual([301, target]);
  const below = await requestPage(service.url, 'localhost', `/status/${page}${path}`);
  expect([below.status, below.headers.location]).toEqual([301, `/status/${page}${target}`]);
});

test.each(['/nothing/', '/history//', '//'])('%s is not found', async path => {
  expect((await getPage(path)).status).toBe(404);
});

describe('a client that prefers Markdown to HTML', () => {
  const getAs = (accept: string, path = '/', method = 'GET') => getPage(path, { method, headers: { accept } });

  test('is redirected to it in the requested language, uncacheable', async () => {
    await getPage('/');
    const { status, headers } = await getAs('text/markdown, text/html;q=0.9, */*;q=0.1');
    expect([status, headers.location, headers['cache-control'], headers.vary]).toEqual([
      302,
      '/index.md',
      'no-store',
      'Accept',
    ]);
    expect((await getAs('text/markdown', '/?lang=de')).headers.location).toBe('/index.md?lang=de');
    const below = await requestPage(service.url, 'localhost', `/status/${page}/`, {
      headers: { accept: 'text/markdown' },
    });
    expect(below.headers.location).toBe(`/status/${page}/index.md`);
    expect((await getPage('/index.md')).text).toContain('Payments are slow');
  });

  test.each(['text/html, text/markdown;q=0.5', '*/*', 'text/markdown;q=0'])(
    'is not assumed for Accept: %s',
    async accept => {
      const { status, headers } = await getAs(accept);
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    },
  );

  test('gets other paths and methods like any client', async () => {
    expect((await getAs('text/markdown', '/feed.json')).status).toBe(200);
    expect((await getAs('text/markdown', '/', 'DELETE')).status).toBe(405);
  });
});

describe('a page is served', () => {
  test.each(['/', '/feed.json'])('on its own host at %s', async path => {
    const { status, text } = await getPage(path);
    expect(status).toBe(200);
    expect(text).toContain('Payments are slow');
  });

  test('for any case, port and trailing dot of its host', async () => {
    for (const written of [host.toUpperCase(), `${host}:3000`, `${host}.`, `${host}.:80`])
      expect((await requestPage(service.url, written, '/feed.json')).status).toBe(200);
  });

  test('below a path of the service, with URLs below that path', async () => {
    const { status, text } = await requestPage(service.url, 'localhost', `/status/${page}/feed.json`);
    expect(status).toBe(200);
    expect(JSON.parse(text).items[0].url).toMatch(
      new RegExp(`/status/${page}/notices/[a-z0-9]{16}-payments-are-slow$`),
    );
  });

  test('below that path after a redirect that adds a missing trailing slash', async () => {
    const { status, headers } = await requestPage(service.url, 'localhost', `/status/${page}?lang=de`);
    expect([status, headers.location]).toEqual([301, `/status/${page}/?lang=de`]);
  });

  test('below that path on any other host name', async () => {
    expect((await requestPage(service.url, 'inside.meridian.lan', `/status/${page}/feed.json`)).status).toBe(200);
    expect((await requestPage(service.url, 'inside.meridian.lan', '/status/00000000/feed.json')).status).toBe(404);
  });

  test('for a request target in absolute form', async () => {
    expect((await requestPage(service.url, 'localhost', `http://${host}/feed.json`)).status).toBe(200);
  });

  test('on its custom domain from its verification until its removal', async () => {
    await service.post(`/v1/pages/${page}/custom_domain`, { domain: 'status.meridian.example' });
    const onDomain = () => requestPage(service.url, 'status.meridian.example', '/feed.json');
    expect((await onDomain()).status).toBe(404);
    await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
    // A change behind the service is noticed when the page changes next, or a moment later.
    await service.patch(`/v1/pages/${page}`, { name: 'Meridian' });
    await waitForResponse(
      onDomain,
      ({ status, text }) => status === 200 && JSON.parse(text).home_page_url === 'https://status.meridian.example/',
      8_000,
    );
    await service.delete(`/v1/pages/${page}/custom_domain`);
    await waitForResponse(onDomain, ({ status }) => status === 404, 8_000);
  });
});

describe('the response', () => {
  test.each([
    ['a page that does not exist', '00000000.localhost', '/'],
    ['the API on the host of a page', '', '/v1/hello'],
    ['a path that no page has', '', '/nothing'],
    ['a path that cannot be decoded', '', '/notices/%ff'],
    ['an invalid page id below the path', 'localhost', '/status/nothing/'],
  ])('for %s is a plain 404 that repeats no input', async (_what, other, path) => {
    const { status, text, headers } = await requestPage(service.url, other || host, path);
    expect([status, text, headers['content-type']]).toEqual([404, 'Not found.\n', 'text/plain; charset=utf-8']);
  });

  test.each(['/nothing', '/notices/0000000000000000-gone', '/notices/%ff'])(
    'to a browser for %s is a 404 that looks like the page',
    async path => {
      const { status, text, headers } = await getPage(path, { headers: { accept: 'text/html' } });
      expect([status, headers['content-type'], headers.vary]).toEqual([
        404,
        'text/html; charset=utf-8',
        'Accept, Accept-Encoding',
      ]);
      expect(text).toContain('This page does not exist');
      expect((await getPage(path)).text).toBe('Not found.\n');
    },
  );

  test.each([
    ['00000000.localhost', '/'],
    ['localhost', '/status/00000000/'],
  ])('to a browser for a page that does not exist at %s%s is a document that says so', async (other, path) => {
    const { status, text, headers } = await requestPage(service.url, other, path, { headers: { accept: 'text/html' } });
    expect([status, headers['content-type'], headers.vary]).toEqual([404, 'text/html; charset=utf-8', 'Accept']);
    expect(text).toContain('There is no status page at this address.');
  });

  test('for a malformed host is a 400 that repeats no input', async () => {
    const { status, text } = await requestPage(service.url, `${host}/<script>`, '/');
    expect([status, text.includes('script')]).toEqual([400, false]);
  });

  test('to a method other than GET and HEAD is a 405', async () => {
    const { status, headers } = await getPage('/feed.json', { method: 'DELETE' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('a response', () => {
  test('is cacheable for 15 s, allows every origin, sets no cookie and disables sniffing', async () => {
    const { headers } = await getPage('/feed.json');
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('age');
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['', undefined],
    ['zstd', undefined],
  ])('to Accept-Encoding "%s" has the content encoding %s', async (accepted, encoding) => {
    const { headers, text } = await getPage('/feed.json', { headers: { 'accept-encoding': accepted } });
    expect(headers['content-encoding']).toBe(encoding);
    expect(JSON.parse(text).title).toContain('Meridian');
  });

  test('has a strong ETag for each encoding, and answers 304 when it matches', async () => {
    const tags = new Set<string>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { headers } = await getPage('/feed.json', { headers: { 'accept-encoding': accepted } });
      const tag = String(headers.etag);
      expect(tag).toMatch(/^"[\w-]+"$/);
      tags.add(tag);
      for (const known of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
        const again = await getPage('/feed.json', { headers: { 'accept-encoding': accepted, 'if-none-match': known } });
        expect([again.status, again.text, again.headers.etag, again.headers['content-length']]).toEqual([
          304,
          '',
          tag,
          undefined,
        ]);
      }
      expect(
        (await getPage('/feed.json', { headers: { 'accept-encoding': accepted, 'if-none-match': '"other"' } })).status,
      ).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  test('has another ETag for the same bytes with other headers', async () => {
    const etagWith = async (headers: Record<string, string>) =>
      (await compressResponse({ type: 'text/html', body: 'x', headers })).variants.identity.etag;
    expect(await etagWith({ Link: '</a.css>' })).not.toBe(await etagWith({ Link: '</b.css>' }));
    expect(await etagWith({ Link: '</a.css>' })).toBe(await etagWith({ Link: '</a.css>' }));
  });

  test('to HEAD equals the one to GET without the body', async () => {
    const get = await getPage('/feed.json');
    const head = await getPage('/feed.json', { method: 'HEAD' });
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('to OPTIONS lists the methods for other origins', async () => {
    const { status, headers } = await getPage('/feed.json', { method: 'OPTIONS' });
    expect([status, headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('has X-Robots-Tag noindex when the page is hidden from search engines', async () => {
    expect((await getPage('/feed.json')).headers['x-robots-tag']).toBeUndefined();
    await service.patch(`/v1/pages/${page}`, { visible_to_search: false });
    await waitForResponse(
      () => getPage('/feed.json'),
      ({ headers }) => headers['x-robots-tag'] === 'noindex, nofollow',
    );
    await service.patch(`/v1/pages/${page}`, { visible_to_search: true });
  });
});

describe('a page changes', () => {
  test('when the page, a component, a notice or an update is written, and when a notice is deleted', async () => {
    const waitFor = (text: string, isShown = true) =>
      waitForResponse(
        () => getPage('/feed.json'),
        response => response.text.includes(text) === isShown,
      );
    await waitFor('Payments');
    await service.patch(`/v1/pages/${page}`, { name: 'Another Name' });
    await waitFor('Another Name');
    const component = (await createComponent(service, `/v1/pages/${page}`, { name: 'Tracking' })).id;
    const { id } = await createNotice(service, `/v1/pages/${page}`, {
      subject: 'Parcels stand still',
      component_ids: [component],
    });
    await waitFor('Parcels stand still');
    await waitFor('Tracking');
    await service.post(`/v1/pages/${page}/notices/${id}/updates`, { content: 'A lorry is on its way.' });
    await waitFor('A lorry is on its way.');
    await service.patch(`/v1/pages/${page}/components/${component}`, { name: 'Follow' });
    await waitFor('Follow');
    await service.delete(`/v1/pages/${page}/notices/${id}`);
    await waitFor('Parcels stand still', false);
  });

  test('to a 404 when it is deleted', async () => {
    const other = (await createPage(service, { name: 'Short' })).id;
    const getOwnPage = () => requestPage(service.url, `${other}.localhost`, '/feed.json');
    expect((await getOwnPage()).status).toBe(200);
    await service.delete(`/v1/pages/${other}`);
    await waitForResponse(getOwnPage, ({ status }) => status === 404);
  });

  test('when a maintenance begins automatically', async () => {
    const on = await createAutomatedPage(service);
    const getOwnPage = () => requestPage(service.url, `${on.path.split('/').at(-1)}.localhost`, '/widget.json');
    const id = await on.create();
    expect(JSON.parse((await getOwnPage()).text).notices).toEqual([]);
    await on.makeStartDue(id);
    expect(await advanceDueNotices(service.database)).toBe(1);
    await waitForResponse(getOwnPage, ({ text }) =>
      JSON.parse(text).notices.some(
        (one: { id: number; state: string }) => one.id === id && one.state === 'In progress',
      ),
    );
  });

  test('not when a write is refused', async () => {
    const before = (await getPage('/feed.json')).headers.etag;
    expect((await service.patch(`/v1/pages/${page}`, { name: '' })).status).toBe(422);
    expect((await getPage('/feed.json')).headers.etag).toBe(before);
  });
});

describe('a page during an outage', () => {
  async function withPageServer(
    parts: Parameters<typeof startPageServer>[0],
    use: (getPage: (path: string) => ReturnType<typeof requestPage>, id: string, server: PageServer) => Promise<void>,
  ): Promise<void> {
    const { id } = await createPage(service, { name: 'Before' });
    const server = await startPageServer(parts);
    try {
      await use(path => requestPage(server.url, `${id}.localhost`, path), id, server);
    } finally {
      await server.stop();
    }
  }
  const isOld = ({ text, headers }: VisitorResponse) => text.includes('Before') && headers.age !== undefined;
  const isNew = ({ text, headers }: VisitorResponse) => text.includes('After') && headers.age === undefined;

  test('shows its age after a failed refresh, and is refreshed once the database is back', async () => {
    let fails = false;
    const fail = () => Promise.reject(Object.assign(new Error('unavailable'), { code: '08006' }));
    const database: Database = {
      ...service.database,
      read: (text, values) => (fails ? fail() : service.database.read(text, values)),
    };
    await withPageServer({ database }, async (getPage, id) => {
      for (const path of ['/feed.json', '/']) expect((await getPage(path)).text).toContain('Before');
      fails = true;
      await service.patch(`/v1/pages/${id}`, { name: 'After' });
      await waitForResponse(() => getPage('/feed.json'), isOld);
      expect((await getPage('/')).text).toContain('class="stale"');
      fails = false;
      for (const path of ['/feed.json', '/']) await waitForResponse(() => getPage(path), isNew);
    });
  });

  test('that started from a disk snapshot is refreshed once the database is available', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
    const diskSnapshots = createDiskSnapshots(folder);
    try {
      await withPageServer({ diskSnapshots }, async (getPage, id, { pages }) => {
        diskSnapshots.save(id, await loadSnapshot(service.database, id));
        await service.patch(`/v1/pages/${id}`, { name: 'After' });
        expect(isOld(await getPage('/feed.json'))).toBe(true);
        const feed = await ChangeFeed.open(service.database);
        await pages.open(service.database, feed);
        await waitForResponse(() => getPage('/feed.json'), isNew);
        await feed.close();
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
