import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createFront, unavailable } from '../../../src/server/app.js';
import type { Database } from '../../../src/db/connection.js';
import { moveDueNotices } from '../../../src/notices/notice.automation.js';
import { KeptPages } from '../../../src/status-page/server/disk-snapshots.js';
import { pack } from '../../../src/status-page/server/compressed-response.js';
import { PageCache } from '../../../src/status-page/server/page-cache.js';
import { readPage } from '../../../src/status-page/view/load-snapshot.js';
import { noticesAtMost } from '../../../src/status-page/view/snapshot.js';
import { newPageOfMaintenances } from '../../support/automated-notices.js';
import { startTestService, type TestService } from '../../support/service.js';
import { eventually, type Seen, visit } from '../../support/visitor.js';

let service: TestService;
let page: string;
let host: string;
const look = (path: string, options?: Parameters<typeof visit>[3]) => visit(service.url, host, path, options);

beforeAll(async () => {
  service = await startTestService();
  page = (await service.post('/v1/pages', { name: 'Meridian Freight' })).json.response.id;
  host = `${page}.localhost`;
  await service.post(`/v1/pages/${page}/notices`, {
    subject: 'Payments are slow',
    initial_comment: 'We look into it.',
  });
});
afterAll(() => service.stop());

test('what happened before the page was there is reached month by month', async () => {
  const { id } = (await service.post('/v1/pages', { name: 'Old' })).json.response;
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
  expect((await visit(service.url, `${id}.localhost`, '/history/2023-07')).text).toContain(
    'href="/history/2023-06" rel="prev"',
  );
  expect((await visit(service.url, `${id}.localhost`, '/history/2021-03')).text).not.toContain('rel="prev"');
});

describe('who asks for Markdown before HTML', () => {
  const asking = (accept: string, path = '/', method = 'GET') => look(path, { method, headers: { accept } });

  test('is sent to it, in the language asked for, and no cache keeps that', async () => {
    await look('/');
    const { status, headers } = await asking('text/markdown, text/html;q=0.9, */*;q=0.1');
    expect([status, headers.location, headers['cache-control'], headers.vary]).toEqual([
      302,
      '/index.md',
      'no-store',
      'Accept',
    ]);
    expect((await asking('text/markdown', '/?lang=de')).headers.location).toBe('/index.md?lang=de');
    const below = await visit(service.url, 'localhost', `/status/${page}/`, { headers: { accept: 'text/markdown' } });
    expect(below.headers.location).toBe(`/status/${page}/index.md`);
    expect((await look('/index.md')).text).toContain('Payments are slow');
  });

  test.each(['text/html, text/markdown;q=0.5', '*/*', 'text/markdown;q=0'])('else it is the page: %s', async accept => {
    const { status, headers } = await asking(accept);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test('everything else is as for anybody', async () => {
    expect((await asking('text/markdown', '/feed.json')).status).toBe(200);
    expect((await asking('text/markdown', '/', 'DELETE')).status).toBe(405);
  });
});

describe('a page is found', () => {
  test.each(['/', '/feed.json'])('on a host of its own, at %s', async path => {
    const { status, text } = await look(path);
    expect(status).toBe(200);
    expect(text).toContain('Payments are slow');
  });

  test('whatever case, port and trailing dot its host is written with', async () => {
    for (const written of [host.toUpperCase(), `${host}:3000`, `${host}.`, `${host}.:80`])
      expect((await visit(service.url, written, '/feed.json')).status).toBe(200);
  });

  test('below a path of the service, where every address on it stays', async () => {
    const { status, text } = await visit(service.url, 'localhost', `/status/${page}/feed.json`);
    expect(status).toBe(200);
    expect(JSON.parse(text).items[0].url).toMatch(
      new RegExp(`/status/${page}/notices/[a-z0-9]{16}-payments-are-slow$`),
    );
  });

  test('below that path also when the slash at its end is left out', async () => {
    const { status, headers } = await visit(service.url, 'localhost', `/status/${page}?lang=de`);
    expect([status, headers.location]).toEqual([301, `/status/${page}/?lang=de`]);
  });

  test('below that path on every other name of the service', async () => {
    expect((await visit(service.url, 'inside.meridian.lan', `/status/${page}/feed.json`)).status).toBe(200);
    expect((await visit(service.url, 'inside.meridian.lan', '/status/00000000/feed.json')).status).toBe(404);
  });

  test('when the target of the request names the host once more', async () => {
    expect((await visit(service.url, 'localhost', `http://${host}/feed.json`)).status).toBe(200);
  });

  test('on its custom domain from the moment that it is verified until it is given up', async () => {
    await service.post(`/v1/pages/${page}/custom_domain`, { domain: 'status.meridian.example' });
    const onDomain = () => visit(service.url, 'status.meridian.example', '/feed.json');
    expect((await onDomain()).status).toBe(404);
    await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
    // What changes beside the service is seen when the page changes next, or a moment later.
    await service.patch(`/v1/pages/${page}`, { name: 'Meridian' });
    await eventually(
      onDomain,
      ({ status, text }) => status === 200 && JSON.parse(text).home_page_url === 'https://status.meridian.example/',
      8_000,
    );
    await service.delete(`/v1/pages/${page}/custom_domain`);
    await eventually(onDomain, ({ status }) => status === 404, 8_000);
  });
});

test('a notice that is open is shown however many newer ones are over', async () => {
  const { id } = (await service.post('/v1/pages', { name: 'Busy' })).json.response;
  const open = (await service.post(`/v1/pages/${id}/notices`, { subject: 'Open since long', initial_comment: 'Hm' }))
    .json.response.id;
  const over = (
    await service.post(`/v1/pages/${id}/notices`, { subject: 'Over', initial_comment: 'Hm', state: 'resolved' })
  ).json.response.id;
  await service.database.query(
    `insert into notice select (jsonb_populate_record(n, jsonb_build_object('id', n.id + more, 'path', n.path || more))).* from notice n, generate_series(1, $2::integer) more
     where n.id = $1`,
    [over, noticesAtMost],
  );
  const { notices } = (await readPage(service.database, id))!;
  expect(notices).toHaveLength(noticesAtMost);
  expect(notices.map(notice => notice.id)).toContain(open);
  await service.delete(`/v1/pages/${id}`);
});

describe('nothing else is', () => {
  test.each([
    ['a page that does not exist', '00000000.localhost', '/'],
    ['the interfaces on the host of a page', '', '/v1/hello'],
    ['an address that no page has', '', '/nothing'],
    ['an address that cannot be decoded', '', '/notices/%ff'],
    ['a page that is none, below the path', 'localhost', '/status/nothing/'],
  ])('%s is a plain 404 that repeats nothing', async (_what, other, path) => {
    const { status, text, headers } = await visit(service.url, other || host, path);
    expect([status, text, headers['content-type']]).toEqual([404, 'Not found.\n', 'text/plain; charset=utf-8']);
  });

  test('behind a malformed host', async () => {
    const { status, text } = await visit(service.url, `${host}/<script>`, '/');
    expect([status, text.includes('script')]).toEqual([400, false]);
  });

  test('and writing is refused', async () => {
    const { status, headers } = await look('/feed.json', { method: 'DELETE' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe('an answer', () => {
  test('may be kept for a moment, is open to every origin, sets nothing and is not guessed at', async () => {
    const { headers } = await look('/feed.json');
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
  ])('to a client that takes "%s" is packed as %s', async (accepted, packed) => {
    const { headers, text } = await look('/feed.json', { headers: { 'accept-encoding': accepted } });
    expect(headers['content-encoding']).toBe(packed);
    expect(JSON.parse(text).title).toContain('Meridian');
  });

  test('has a strong tag, one for each packing, by which it is not sent again', async () => {
    const tags = new Set<string>();
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { headers } = await look('/feed.json', { headers: { 'accept-encoding': accepted } });
      const tag = String(headers.etag);
      expect(tag).toMatch(/^"[\w-]+"$/);
      tags.add(tag);
      for (const known of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
        const again = await look('/feed.json', { headers: { 'accept-encoding': accepted, 'if-none-match': known } });
        expect([again.status, again.text, again.headers.etag, again.headers['content-length']]).toEqual([
          304,
          '',
          tag,
          undefined,
        ]);
      }
      expect(
        (await look('/feed.json', { headers: { 'accept-encoding': accepted, 'if-none-match': '"other"' } })).status,
      ).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  test('of the same bytes under other headers has another tag', async () => {
    const tagged = async (headers: Record<string, string>) =>
      (await pack({ type: 'text/html', body: 'x', headers })).forms.identity.etag;
    expect(await tagged({ Link: '</a.css>' })).not.toBe(await tagged({ Link: '</b.css>' }));
    expect(await tagged({ Link: '</a.css>' })).toBe(await tagged({ Link: '</a.css>' }));
  });

  test('to HEAD is that to GET without the body', async () => {
    const [get, head] = [await look('/feed.json'), await look('/feed.json', { method: 'HEAD' })];
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  test('to OPTIONS says what other origins may do', async () => {
    const { status, headers } = await look('/feed.json', { method: 'OPTIONS' });
    expect([status, headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  test('asks search engines to stay away where the page does', async () => {
    expect((await look('/feed.json')).headers['x-robots-tag']).toBeUndefined();
    await service.patch(`/v1/pages/${page}`, { visible_to_search: false });
    await eventually(
      () => look('/feed.json'),
      ({ headers }) => headers['x-robots-tag'] === 'noindex, nofollow',
    );
    await service.patch(`/v1/pages/${page}`, { visible_to_search: true });
  });
});

describe('a change is shown', () => {
  test('of the page, a component, a notice and an update, and that a notice is gone', async () => {
    const shows = (wanted: string, shown = true) =>
      eventually(
        () => look('/feed.json'),
        ({ text }) => text.includes(wanted) === shown,
      );
    await shows('Payments');
    await service.patch(`/v1/pages/${page}`, { name: 'Another Name' });
    await shows('Another Name');
    const component = (await service.post(`/v1/pages/${page}/components`, { name: 'Tracking' })).json.response.id;
    const { id } = (
      await service.post(`/v1/pages/${page}/notices`, { subject: 'Parcels stand still', component_ids: [component] })
    ).json.response;
    await shows('Parcels stand still');
    await shows('Tracking');
    await service.post(`/v1/pages/${page}/notices/${id}/updates`, { content: 'A lorry is on its way.' });
    await shows('A lorry is on its way.');
    await service.patch(`/v1/pages/${page}/components/${component}`, { name: 'Follow' });
    await shows('Follow');
    await service.delete(`/v1/pages/${page}/notices/${id}`);
    await shows('Parcels stand still', false);
  });

  test('when the page is deleted, by its absence', async () => {
    const other = (await service.post('/v1/pages', { name: 'Short' })).json.response.id;
    const seen = () => visit(service.url, `${other}.localhost`, '/feed.json');
    expect((await seen()).status).toBe(200);
    await service.delete(`/v1/pages/${other}`);
    await eventually(seen, ({ status }) => status === 404);
  });

  test('when a maintenance begins by itself', async () => {
    const on = await newPageOfMaintenances(service);
    const seen = () => visit(service.url, `${on.path.split('/').at(-1)}.localhost`, '/widget.json');
    const id = await on.create();
    expect(JSON.parse((await seen()).text).notices).toEqual([]);
    await on.toBegin(id);
    expect(await moveDueNotices(service.database)).toBe(1);
    await eventually(seen, ({ text }) =>
      JSON.parse(text).notices.some((one: { id: number; state: string }) => one.id === id && one.state === 'Under way'),
    );
  });

  test('when it is time that changes the page, without anybody writing to it', async () => {
    const { id } = (await service.post('/v1/pages', { name: 'Quiet' })).json.response;
    const hour = 3_600_000;
    const [began, ended] = [7 * 24 - 1, 7 * 24 - 2].map(hours => new Date(Date.now() - hours * hour).toISOString());
    const past = {
      subject: 'Over for days',
      initial_comment: 'It was so.',
      state: 'resolved',
      began_at: began,
      ended_at: ended,
    };
    expect((await service.post(`/v1/pages/${id}/notices`, past)).status).toBe(201);
    const seen = () => visit(service.url, `${id}.localhost`, '/index.md');
    expect((await seen()).text).toContain('Over for days');
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3 * hour);
    try {
      await eventually(seen, ({ status, text }) => status === 200 && !text.includes('Over for days'));
    } finally {
      clock.mockRestore();
    }
  });

  test('and a refused one is not', async () => {
    const before = (await look('/feed.json')).headers.etag;
    expect((await service.patch(`/v1/pages/${page}`, { name: '' })).status).toBe(422);
    expect((await look('/feed.json')).headers.etag).toBe(before);
  });
});

describe('a page whose database', () => {
  /** What serves pages, without the rest of the service. */
  async function onNode(
    cache: PageCache,
    use: (look: (path: string) => ReturnType<typeof visit>, id: string) => Promise<void>,
  ): Promise<void> {
    const { id } = (await service.post('/v1/pages', { name: 'Before' })).json.response;
    const server = createFront(cache, unavailable);
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    try {
      await use(
        path => visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, `${id}.localhost`, path),
        id,
      );
    } finally {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
      await cache.close();
    }
  }
  const isOld = ({ text, headers }: Seen) => text.includes('Before') && headers.age !== undefined;
  const isNew = ({ text, headers }: Seen) => text.includes('After') && headers.age === undefined;

  test('could not be asked when the page changed says how old it is, and is tried again', async () => {
    let fails = false;
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: '08006' }));
    const database: Database = {
      ...service.database,
      read: (text, values) => (fails ? away() : service.database.read(text, values)),
    };
    const cache = new PageCache(database, null);
    await cache.open(database);
    await onNode(cache, async (seen, id) => {
      for (const path of ['/feed.json', '/']) expect((await seen(path)).text).toContain('Before');
      fails = true;
      await service.patch(`/v1/pages/${id}`, { name: 'After' });
      await eventually(() => seen('/feed.json'), isOld);
      expect((await seen('/')).text).toContain('class="stale"');
      fails = false;
      for (const path of ['/feed.json', '/']) await eventually(() => seen(path), isNew);
    });
  });

  test('is there only after the page was shown from the disk is read as soon as it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
    const kept = new KeptPages(folder);
    const cache = new PageCache(null, kept);
    try {
      await onNode(cache, async (seen, id) => {
        kept.keep(id, await readPage(service.database, id));
        await service.patch(`/v1/pages/${id}`, { name: 'After' });
        expect(isOld(await seen('/feed.json'))).toBe(true);
        await cache.open(service.database);
        await eventually(() => seen('/feed.json'), isNew);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
