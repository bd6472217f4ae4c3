import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadSnapshot } from '../../../src/status-page/view/load-snapshot.js';
import { isWhole } from '../../../src/status-page/view/omitted-notices.js';
import { createComponent, createNotice, createPage, createUpdate } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

/** The public API of a page, beside the format of Statuspage, for visitors without a token. */
const service = useService();
let page: Awaited<ReturnType<typeof createPage>>;
let host: string;
beforeAll(async () => {
  page = await createPage(service, { name: 'Meridian' });
  host = `${page.id}.localhost`;
});

const getPage = (path: string, options?: Parameters<typeof requestPage>[3]) =>
  requestPage(service.url, host, path, options);
/** The JSON at a path, once it is as expected. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert what they access
async function waitForJson(path: string, isExpected: (json: any) => boolean): Promise<any> {
  const { text } = await waitForResponse(
    () => getPage(path),
    response => response.status === 200 && isExpected(JSON.parse(response.text)),
    15_000,
  );
  return JSON.parse(text);
}

/** The page of a notice, once it has a text. */
async function waitForPage({ url }: { url: string }, expected: string): Promise<string> {
  const { text } = await waitForResponse(
    () => getPage(new URL(url).pathname),
    response => response.text.includes(expected),
    15_000,
  );
  return text;
}

test('a notice is the same for a reader as for the client of /v1 that wrote it', async () => {
  const component = await createComponent(service, page.path, { name: 'Cards', position: 7 });
  const notice = await createNotice(service, page.path, {
    subject: 'Payments fail',
    initial_comment: 'We *look*.',
    should_publish: true,
    component_ids: [component.id],
  });
  await service.patch(notice.path, { state: 'identified', additional_comment: 'Found.', should_publish: false });
  const { response } = (await service.get(`${notice.path}?include=updates`)).json;

  const { notice: read } = await waitForJson(`/api/v1/notices/${notice.id}`, json => json.notice.updates.length === 2);
  const [first, second] = response.updates;
  expect(read).toEqual({
    id: notice.id,
    type: 'unplanned',
    state: 'identified',
    timeline_state: 'present',
    subject: 'Payments fail',
    url: response.link,
    began_at: response.began_at,
    ended_at: null,
    begins_at: null,
    ends_at: null,
    created_at: response.created_at,
    updated_at: response.updated_at,
    latest_update: { state: 'identified', content: '<p>Found.</p>', created_at: second.created_at },
    components: [
      {
        id: component.id,
        state: 'degraded',
        name: 'Cards',
        description: null,
        parent_id: null,
        position: 7,
        created_at: component.created_at,
        updated_at: expect.stringMatching(/Z$/),
      },
    ],
    updates: [
      {
        id: first.id,
        state: 'investigating',
        content: '<p>We <em>look</em>.</p>',
        created_at: first.created_at,
        updated_at: first.updated_at,
      },
      {
        id: second.id,
        state: 'identified',
        content: '<p>Found.</p>',
        created_at: second.created_at,
        updated_at: second.updated_at,
      },
    ],
  });

  const { incidents } = await waitForJson('/api/v2/incidents.json', json => json.incidents.length === 1);
  expect(incidents[0].incident_updates).toMatchObject([
    { status: 'identified', deliver_notifications: false },
    { status: 'investigating', deliver_notifications: true },
  ]);
});

test('a notice without updates counts as delivered in /api/v2 if it was published', async () => {
  const other = await createPage(service);
  for (const should_publish of [true, false]) await createNotice(service, other.path, { should_publish });
  const { text } = await requestPage(service.url, `${other.id}.localhost`, '/api/v2/incidents.json');
  const { incidents } = JSON.parse(text) as { incidents: { incident_updates: { deliver_notifications: boolean }[] }[] };
  expect(incidents.map(({ incident_updates: [update] }) => update!.deliver_notifications)).toEqual([false, true]);
});

describe('a notice that the snapshot does not hold as a whole', () => {
  test('is read by its id, however old it is, on its own page only', async () => {
    const times = { began_at: '2021-03-04T05:00:00Z', ended_at: '2021-03-04T06:00:00Z' };
    const { id } = await createNotice(service, page.path, { state: 'resolved', ...times });
    const { notice } = await waitForJson(`/api/v1/notices/${id}.json`, () => true);
    expect([notice.id, notice.timeline_state]).toEqual([id, 'past_distant']);
    const other = await createPage(service);
    const { status } = await requestPage(service.url, `${other.id}.localhost`, `/api/v1/notices/${id}`);
    expect(status).toBe(404);
    expect((await getPage('/api/v1/notices/2147483647')).status).toBe(404);
  });

  test('has its newest 1,000 updates, and says how many others there are', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Endless story' });
    await service.database.query(
      `insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
       select $1, 'No ' || number || '.', now(), now(), now() from generate_series(1, 1200) number`,
      [notice.id],
    );
    await createUpdate(service, notice.path, { content: 'No 1201.' });
    const { notice: read } = await waitForJson(
      `/api/v1/notices/${notice.id}`,
      json => json.notice.latest_update?.content === '<p>No 1201.</p>',
    );
    expect(read.updates).toHaveLength(1_000);
    expect(await waitForPage(read, 'No 1201.')).toContain('201 earlier updates');
  });

  test('has more updates there and on its page than in lists', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Long story' });
    await service.database.query(
      `insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
       select $1, 'No ' || number || '.', now(), now(), now() from generate_series(1, 50) number`,
      [notice.id],
    );
    await createUpdate(service, notice.path, { content: 'No 51.' });
    const { notice: read } = await waitForJson(
      `/api/v1/notices/${notice.id}`,
      json => json.notice.latest_update?.content === '<p>No 51.</p>',
    );
    expect(read.updates).toHaveLength(51);
    expect(await waitForPage(read, 'No 51.')).toContain('No 1.');
  });

  test('has the newest updates of a notice that have a million bytes, and says how many others there are', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Very long story' });
    // The newest of these has five earlier texts that count, too.
    await service.database.query(
      `with made as (
         insert into notice_update (notice_id, content, posted_at, created_at, updated_at, edited_at)
         select $1, repeat('x', 64999) || '.', now() - make_interval(secs => number), now(), now(),
           case when number = 1 then now() end
         from generate_series(1, 30) number returning id, edited_at)
       insert into notice_update_revision (update_id, content, replaced_at, replaced_by, replaced_by_kind)
       select id, repeat('y', 65000), now(), 'somebody', 'person' from made, generate_series(1, 7)
       where edited_at is not null`,
      [notice.id],
    );
    await createUpdate(service, notice.path, { content: 'No 31.' });
    const { notice: read } = await waitForJson(
      `/api/v1/notices/${notice.id}`,
      json => json.notice.latest_update?.content === '<p>No 31.</p>',
    );
    expect(read.updates).toHaveLength(11);
    expect(await waitForPage(read, 'No 31.')).toContain('20 earlier updates');
    const snapshot = await loadSnapshot(service.database, page.id);
    const listed = snapshot!.notices.find(({ id }) => id === notice.id)!;
    expect([listed.updates.length, listed.updateCount]).toEqual([1, 31]);
  });

  test('has no updates in a list beyond those of a million bytes, and a link to its own page', async () => {
    const other = await createPage(service);
    for (let number = 1; number <= 13; number++) await createNotice(service, other.path, { subject: `No ${number}` });
    await service.database.query(
      `insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
       select n.id, repeat('x', 49900), now(), now(), now() from notice n, generate_series(1, 2) where n.page_id = $1`,
      [other.id],
    );
    const snapshot = await loadSnapshot(service.database, other.id);
    expect(snapshot!.notices.map(({ updates }) => updates.length)).toEqual([...Array(11).fill(2), 0, 0]);
    const { text } = await requestPage(service.url, `${other.id}.localhost`, '/');
    const { path } = snapshot!.notices.at(-1)!;
    expect(text).toMatch(new RegExp(`<a href="/notices/${path}">2 earlier updates</a>`));
    const single = await requestPage(service.url, `${other.id}.localhost`, `/notices/${path}`);
    expect(single.text.match(/x{49900}/g)).toHaveLength(2);
  });

  test('has the descriptions of the first components, as long as they have 500,000 bytes', async () => {
    const other = await createPage(service);
    const positions = [3, 9, 1, 8, 2, 7, 4, 6, 5];
    for (const position of positions)
      await createComponent(service, other.path, { name: `${position}`, position, description: 'é'.repeat(30_000) });
    const snapshot = await loadSnapshot(service.database, other.id);
    const described = snapshot!.components.flatMap(({ name, description }) => (description === null ? [] : [name]));
    expect(described).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect(snapshot!.components).toHaveLength(9);
  });

  test('has the first 4,000 characters of the synopsis of a notice in a list', async () => {
    const other = await createPage(service);
    const { path } = await createNotice(service, other.path, { initial_comment: 'x'.repeat(65_000) });
    const snapshot = await loadSnapshot(service.database, other.id);
    expect(snapshot!.notices.map(({ synopsis }) => synopsis.length)).toEqual([4_000]);
    const { json } = await service.call('GET', path);
    expect(json.response.synopsis).toHaveLength(65_001);
  });

  test('has a long post-mortem beside its updates, and on its page the earlier texts of it', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Long report', state: 'resolved' });
    const insertUpdates = (count: number) =>
      service.database.query(
        `insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
         select $1, 'Hm', now() - interval '1 hour', now(), now() from generate_series(1, $2::integer)`,
        [notice.id, count],
      );
    const listUpdates = async () => {
      const snapshot = await loadSnapshot(service.database, page.id);
      const listed = snapshot!.notices.find(({ id }) => id === notice.id)!;
      const [updates, postmortems] = ['update', 'postmortem'].map(
        kind => listed.updates.filter(update => update.kind === kind).length,
      );
      return { updates, postmortems, count: listed.updateCount, isWhole: isWhole(listed) };
    };
    await insertUpdates(3);
    await service.database.query(
      `with made as (
         insert into notice_update (notice_id, kind, content, posted_at, created_at, updated_at, edited_at)
         select $1, 'postmortem', repeat('x', 65000), now(), now() - interval '1 minute', now(), now() returning id)
       insert into notice_update_revision (update_id, content, replaced_at, replaced_by, replaced_by_kind)
       select id, repeat('y', 65000), now(), 'somebody', 'person' from made, generate_series(1, 2)`,
      [notice.id],
    );
    // Its earlier texts do not fit into the list.
    expect(await listUpdates()).toEqual({ updates: 3, postmortems: 1, count: 4, isWhole: false });
    await createUpdate(service, notice.path, { content: 'Last.' });
    const { notice: read } = await waitForJson(
      `/api/v1/notices/${notice.id}`,
      json => json.notice.latest_update?.content === '<p>Last.</p>',
    );
    const text = await waitForPage(read, 'Last.');
    expect(text.split('y'.repeat(65_000))).toHaveLength(3);

    // An older post-mortem does not give way to many updates.
    await service.database.query(
      `update notice_update set posted_at = now() - interval '1 day' where notice_id = $1 and kind = 'postmortem'`,
      [notice.id],
    );
    await insertUpdates(60);
    expect(await listUpdates()).toEqual({ updates: 50, postmortems: 1, count: 65, isWhole: false });
  });
});

describe('every response', () => {
  /** Of a page that does not change any more, so that its ETags stay. */
  let id: string;
  const getPage = (path: string, options?: Parameters<typeof requestPage>[3]) =>
    requestPage(service.url, `${id}.localhost`, path, options);
  beforeAll(async () => {
    const still = await createPage(service);
    ({ id } = still);
    await createComponent(service, still.path);
    await createNotice(service, still.path, { initial_comment: 'We look.' });
  });

  const paths = ['status', 'status.json', 'components', 'components.json', 'notices', 'notices.json'];

  test.each(paths)('at %s needs no token, is open to every origin, and is cached as /api/v2 is', async path => {
    const reader = { headers: { origin: 'https://watcher.example', 'accept-encoding': 'br' } };
    const { status, headers } = await getPage(`/api/v1/${path}`, reader);
    const { headers: expected } = await getPage('/api/v2/summary.json', reader);
    const names = ['content-type', 'cache-control', 'access-control-allow-origin', 'vary', 'content-encoding'];
    expect(status).toBe(200);
    expect(names.map(name => headers[name])).toEqual(names.map(name => expected[name]));
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['set-cookie']).toBeUndefined();
    const again = { headers: { ...reader.headers, 'if-none-match': String(headers.etag) } };
    expect((await getPage(`/api/v1/${path}`, again)).status).toBe(304);
  });

  test('is the same for both of its paths, and below the path of the service with links below it', async () => {
    for (const name of ['status', 'components', 'notices'])
      expect((await getPage(`/api/v1/${name}.json`)).text).toBe((await getPage(`/api/v1/${name}`)).text);
    for (const path of ['/api/v1', '/api/v1/'])
      expect((await getPage(path)).text).toBe((await getPage('/api/v1/status')).text);
    const below = await requestPage(service.url, 'localhost', `/status/${id}/api/v1/status`);
    expect(JSON.parse(below.text).page).toMatchObject({
      url: expect.stringMatching(new RegExp(`/status/${id}$`)),
      links: { notices: { href: `/status/${id}/api/v1/notices` } },
    });
  });

  test('allows the request headers that a preflight asks for', async () => {
    const { status, headers } = await getPage('/api/v1/notices', {
      method: 'OPTIONS',
      headers: { origin: 'https://watcher.example', 'access-control-request-headers': 'content-type,x-reader' },
    });
    expect([status, headers['access-control-allow-origin'], headers['access-control-allow-headers']]).toEqual([
      204,
      '*',
      'content-type,x-reader',
    ]);
    expect((await getPage('/api/v1/notices', { method: 'POST' })).status).toBe(405);
  });
});
