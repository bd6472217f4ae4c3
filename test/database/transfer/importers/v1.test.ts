import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
  createUpdate,
} from '../../../support/factories.js';
import { createImport, toCounts } from '../../../support/saved-answers.js';
import { type TestService, useOwnService } from '../../../support/service.js';

const origin = useOwnService();
const target = useOwnService();
const { run, report } = createImport(target);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const paths: string[] = [];

async function createRecords(service: TestService): Promise<void> {
  const page = await createPage(service, {
    name: 'Meridian “🚚”',
    timezone: 'Berlin',
    support_url: 'https://example.com/help',
    support_telephone: '030 1234',
    visible_to_search: false,
    timeline_threshold: 86_400,
    locale: 'de',
  });
  await service.patch(`${page.path}/brand`, { color_body_links: '#0b6e4f' });
  // Its id is less than that of its parent.
  const child = await createComponent(service, page.path, { name: 'Cards', description: 'Visa', position: 3 });
  const parent = await createComponent(service, page.path, { name: 'Payments' });
  await service.patch(child.path, { parent_id: parent.id });
  const incident = await createNotice(service, page.path, {
    component_ids: [child.id],
    initial_comment: 'First **bold**',
  });
  for (let count = 0; count < 3; count += 1) await createUpdate(service, incident.path, { content: `Update ${count}` });
  const resolved = await createNotice(service, page.path, { subject: 'Search is slow' });
  await service.patch(resolved.path, { state: 'resolved', additional_comment: 'Over.' });
  await createNotice(service, page.path, {
    type: 'planned',
    subject: 'Moving',
    begins_at: inDays(40),
    ends_at: inDays(41),
    should_automate_schedule: true,
    component_ids: [parent.id],
  });
  await createNotice(service, page.path, { type: 'general', subject: 'New office', tag_list: ['a', 'b c'] });
  for (let count = 0; count < 60; count += 1) await createNotice(service, page.path, { subject: `Past ${count}` });
  await createTemplate(service, page.path, {
    component_id: String(child.id),
    initial_comment: 'We are looking into it.',
  });
  await createSubscriber(service, page.path, { email: 'ada@example.com', component_ids: [child.id], tag_list: 'x,y' });
  await createSubscriber(service, page.path, { phone_number: '+4915112345678', first_name: 'Bo' });
  const other = await createPage(service, { name: 'Other' });
  await createNotice(service, other.path);
  for (const { path } of [page, other])
    for (const list of ['', '/brand', '/components', '/notices', '/notice_templates', '/subscribers'])
      paths.push(`${path}${list}`);
  paths.push('/v1/pages', '/v1/hello', '/v1/timezones', `${page.path}/notices?page=2`, `${page.path}/theme`);
  for (const query of ['include=updates,components', 'filter[state_eq]=resolved', 'filter[subject_cont]=Past%201'])
    paths.push(`${page.path}/notices?${query}`);
  paths.push(`${page.path}?include=brand,notices,components`, `${page.path}/subscribers?include=components`);
  for (const { id } of (await service.get(`${page.path}/notices`)).json.response)
    paths.push(
      `${page.path}/notices/${id}`,
      `${page.path}/notices/${id}/updates`,
      `${page.path}/notices/${id}?include=updates`,
    );
  for (let id = 1; id < 60; id += 1) paths.push(`${incident.path}/updates/${id}`, `${page.path}/components/${id}`);
}

/** Host names and ports stay those of the installation. */
const ask = async (service: TestService, path: string) => {
  const { status, text } = await service.get(path);
  return `${path} ${status} ${text.replaceAll(new RegExp(`\\b(localhost:)?${new URL(service.url).port}\\b`, 'g'), '')}`;
};
const askAll = async (service: TestService) => {
  const answers: string[] = [];
  for (const path of paths) answers.push(await ask(service, path));
  return answers;
};
const withToken = (...args: string[]) =>
  ['--from', 'v1', '--url', origin.url, '--token', origin.tokens.write, ...args] as const;

beforeAll(() => createRecords(origin));

test('a dry run with --keep-ids writes nothing', async () => {
  const { text } = await run(...withToken('--keep-ids'));
  expect(text).toContain('Would be imported:\n2\tpages\n');
  expect((await target.get('/v1/pages')).json.count).toBe(0);
});

test('a client of /v1 gets the same answers before and after a move with --keep-ids, and nobody is notified', async () => {
  const { text, error } = await run(...withToken('--keep-ids', '--yes'));
  expect(error).toBeUndefined();
  expect(text).toContain('Imported:\n2\tpages\n');
  expect(text).not.toContain('Left out');
  expect(paths.length).toBeGreaterThan(200);
  expect(await askAll(target)).toEqual(await askAll(origin));
  expect(await target.database.query('select 1 from delivery union all select 1 from publication')).toEqual([]);
});

test('records that are created after the move have the ids that follow', async () => {
  const [path] = paths as [string];
  const { json } = await target.post(`${path}/components`, { name: 'After' });
  expect(json.response.id).toBe((await origin.post(`${path}/components`, { name: 'After' })).json.response.id);
});

test('an installation that has one of the ids keeps it, and nothing is imported', async () => {
  const { code, error } = await run(...withToken('--keep-ids', '--yes'));
  expect([code, error]).toEqual([1, expect.stringContaining('The installation has already: pages with the id')]);
});

test('without --keep-ids a page gets new ids, once', async () => {
  const page = paths[0]!.split('/').at(-1)!;
  const options = withToken('--source-page', page, '--yes');
  const first = await report(...options);
  expect(toCounts(first)).toMatchObject({
    component: [3, 0, 0, 0],
    notice: [64, 0, 0, 0],
    template: [1, 0, 0, 0],
    subscriber: [2, 0, 0, 0],
  });
  expect(first.leftOut).toEqual([]);
  const path = `/v1/pages/${first.pageId}`;
  const settings = { support_url: 'https://example.com/help', timeline_threshold: 86_400, locale: 'de' };
  expect((await target.get(path)).json.response).toMatchObject({ ...settings, support_telephone: '030 1234' });
  expect((await target.get(`${path}/brand`)).json.response.color_body_links).toBe('#0b6e4f');
  const [template] = (await target.get(`${path}/notice_templates`)).json.response;
  const component = (await target.get(`${path}/components/${template.component_id}`)).json.response;
  expect([template.initial_comment, component.name]).toEqual(['We are looking into it.', 'Cards']);
});

test('a page that exists keeps its colours, settings and templates, and the report names those of the source', async () => {
  const page = paths[0]!.split('/').at(-1)!;
  const { pageId } = await report(...withToken('--source-page', page, '--yes'));
  await target.patch(`/v1/pages/${pageId}/brand`, { color_body_links: '#aa0000' });
  const again = await report(...withToken('--source-page', page, '--yes'), '--page', pageId!);
  expect(toCounts(again)).toMatchObject({ notice: [0, 0, 64, 0], template: [0, 0, 0, 1] });
  const reason = 'is imported to a new page only';
  expect(again.leftOut).toContainEqual({ kind: 'setting', sourceId: 'colours', reason });
  expect((await target.get(`/v1/pages/${pageId}/brand`)).json.response.color_body_links).toBe('#aa0000');
  expect((await target.get(`/v1/pages/${pageId}/notice_templates`)).json.count).toBe(1);
});

test('what a service answers in the older form is read, and what is not usable is left out by name', async () => {
  const at = '2026-01-02 03:04:05 +0000';
  const times = { created_at: at, updated_at: at };
  const answers: Record<string, unknown> = {
    '/v1/pages': [{ id: '0a1b2c3d' }],
    '/v1/pages/0a1b2c3d': { id: '0a1b2c3d', name: 'Old', timezone: 'Berlin', locale: 'xx', ...times },
    '/v1/pages/0a1b2c3d/components': [{ id: 500, name: 'Web', parent_id: 499, state: 'operational', ...times }],
    '/v1/pages/0a1b2c3d/notices': [
      {
        id: 600,
        type: 'unplanned',
        subject: 'Slow',
        state: 'resolved',
        began_at: at,
        ended_at: at,
        components: [],
        updates: [],
        ...times,
      },
      {
        id: 601,
        type: 'unplanned',
        subject: 'Open',
        state: 'identified',
        began_at: at,
        ended_at: 'nil',
        components: [{ id: 500 }],
        updates: [],
        ...times,
      },
      { id: 602, type: 'planned', subject: 'No window', state: 'scheduled', components: [], updates: [], ...times },
    ],
    '/v1/pages/0a1b2c3d/notice_templates': [{ id: 'too-long-an-id', name: 'T', ...times }],
    '/v1/pages/0a1b2c3d/subscribers': [
      { id: 700, email: 'not an address', components: [], ...times },
      { id: 701, email: 'cy@example.com', ...times },
      { id: 702, email: 'di@example.com', components: [{ id: 9 }], ...times },
      { id: 703, email: 'ed@example.com', tag_list: '', components: [], ...times },
      { id: 704, email: 'fi@example.com', tag_list: 'x, y', components: [], ...times },
    ],
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x');
    const answer = answers[pathname];
    if (!answer) response.statusCode = 404;
    response.end(JSON.stringify({ response: answer, ...(Array.isArray(answer) ? { count: answer.length } : {}) }));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { text, error } = await run('--from', 'v1', '--url', url, '--token', 't', '--keep-ids', '--yes');
  server.close();
  expect(error).toBeUndefined();
  expect(text).toBe(`Imported:
1\tpages
1\tcomponents
2\tnotices
1\tnotice-components
2\tsubscribers
Left out:
  setting too-long-an-id: \`id\`: Invalid string: must match pattern /^[A-Za-z0-9]{6}$/
  setting locale: is not valid here: xx
  notice 602: has no window
  subscriber 700: \`email\`: is not valid
  subscriber 701: \`components\`: Invalid input: expected array, received undefined
  subscriber 702: chose only components that are not there
`);
  const people = await target.database.query(
    'select tag_list as tags from subscriber where id in (703, 704) order by id',
  );
  expect(people).toEqual([{ tags: [] }, { tags: ['x', 'y'] }]);
  const notice = (await target.get('/v1/pages/0a1b2c3d/notices/601?include=components')).json.response;
  expect(notice).toMatchObject({
    subject: 'Open',
    ended_at: null,
    created_at: '2026-01-02T03:04:05.000Z',
    components: [{ id: 500 }],
  });
});

test('a page whose id cannot be kept ends the import with a sentence', async () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x');
    const at = '2026-01-02T03:04:05Z';
    const page = { id: 'main-page', name: 'Main', created_at: at, updated_at: at };
    const answer = pathname === '/v1/pages' ? [page] : pathname === '/v1/pages/main-page' ? page : [];
    response.end(JSON.stringify({ response: answer }));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, error } = await run('--from', 'v1', '--url', url, '--token', 't', '--keep-ids', '--yes');
  server.close();
  expect([code, error]).toEqual([1, expect.stringMatching(/^The page main-page cannot keep its id: `id`: /)]);
});
