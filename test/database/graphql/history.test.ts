import { beforeAll, describe, expect, test } from '@jest/globals';
import { openEvents } from '../../support/event-stream.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { setVisibility } from '../../support/private-pages.js';
import { useService } from '../../support/service.js';

/** What the public page computes: the days of its bars, and its banner. */
const service = useService();
let page: { id: string; path: string };
let root: string;
let child: string;
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
const date = (ago: number) => day(ago).slice(0, 10);
beforeAll(async () => {
  page = await createPage(service, { timezone: 'UTC', locale: 'de' });
  root = String((await createComponent(service, page.path, { name: 'Root' })).id);
  child = String((await createComponent(service, page.path, { name: 'Child', parent_id: root })).id);
  for (let index = 0; index < 5; index++) await createComponent(service, page.path, { name: `Other ${index}` });
  await createNotice(service, page.path, {
    subject: 'Over',
    state: 'resolved',
    component_ids: [child],
    began_at: `${date(3)}T10:00:00Z`,
    ended_at: `${date(3)}T10:30:00Z`,
  });
});

const ask = async (fields: string, token?: null) => (await service.graphql(`{ ${fields} }`, {}, { token })).json;
const historyOf = (id: string, selection: string, days = 5) =>
  `component(pageId: "${page.id}", id: ${id}) { name history(days: ${days}) { ${selection} } }`;

test('the days of a component are those of its bar, with the notices of each', async () => {
  const selection =
    'date status all: minutes minutes(status: DEGRADED) below: minutes(status: PARTLY_AFFECTED) noticeCount notices { subject link }';
  const { component } = (await ask(historyOf(child, selection))).data;
  expect(component.history.map((one: { date: string }) => one.date)).toEqual([4, 3, 2, 1, 0].map(date));
  expect(component.history[1]).toEqual({
    date: date(3),
    status: 'DEGRADED',
    all: 30,
    minutes: 30,
    below: 0,
    noticeCount: 1,
    notices: [{ subject: 'Over', link: expect.stringContaining('/notices/') }],
  });
  expect(component.history[2]).toMatchObject({ status: 'OPERATIONAL', noticeCount: 0, notices: [] });
  const above = (await ask(historyOf(root, selection))).data.component.history[1];
  expect(above).toMatchObject({ status: 'PARTLY_AFFECTED', minutes: 0, below: 30 });
});

test('the days have their notices without a token on a page that is not listed', async () => {
  const read = async () => (await ask(historyOf(child, 'notices { subject }'), null)).data.component.history[1].notices;
  await setVisibility(service, page.id, { visibility: 'UNLISTED' });
  expect(await read()).toEqual([{ subject: 'Over' }]);
  await setVisibility(service, page.id, { visibility: 'PUBLIC' });
  expect(await read()).toEqual([{ subject: 'Over' }]);
});

test('days before the first that is known have no status, and all days are 90', async () => {
  const { history } = (await ask(`component(id: ${child}) { history { status } }`)).data.component;
  expect(history).toHaveLength(90);
  expect([history[0].status, history.at(-1).status]).toEqual([null, 'OPERATIONAL']);
});

test.each([0, -1, 91])('%i days are refused', async days => {
  const { errors } = await ask(historyOf(child, 'date', days));
  expect(errors).toMatchObject([
    { message: '`days` of history must be from 1 to 90.', extensions: { code: 'BAD_REQUEST' } },
  ]);
});

test('the uptime is the share that the public page shows: of components without children, if the page shows any', async () => {
  const long = String((await createComponent(service, page.path, { name: 'Long' })).id);
  const { id } = await createNotice(service, page.path, {
    subject: 'Outage',
    state: 'resolved',
    component_ids: [long],
    began_at: `${date(20)}T00:00:00Z`,
    ended_at: `${date(20)}T12:00:00Z`,
  });
  await service.database.query(`update notice_component set impact = 'major-outage' where notice_id = $1`, [id]);
  const read = (component: string) => ask(`component(id: ${component}) { uptime }`, null);
  const { uptime } = (await read(long)).data.component;
  // Half a day of 20 to 21.
  expect(uptime).toBeGreaterThan(1 - 0.5 / 20);
  expect(uptime).toBeLessThan(1 - 0.5 / 21);
  expect((await read(root)).data.component).toEqual({ uptime: null });
  await service.patch(page.path, {});
  await service.graphql(
    `mutation { updatePage(id: "${page.id}", input: { shouldShowUptime: false }) { page { id } } }`,
  );
  expect((await ask(`component(id: ${long}) { uptime }`)).data.component).toEqual({ uptime: null });
  await service.delete(`${page.path}/notices/${id}`);
  await service.delete(`${page.path}/components/${long}`);
});

test('all components of a page take two statements more, with the notices', async () => {
  const { read } = service.database;
  const statements: string[] = [];
  service.database.read = (text, values) => {
    statements.push(text);
    return read(text, values);
  };
  const { data } = await ask(
    `page(id: "${page.id}") { banner { status } components { nodes { history { notices { subject } } } } }`,
  );
  service.database.read = read;
  expect(data.page.components.nodes).toHaveLength(7);
  expect(statements).toHaveLength(3);
});

describe('the banner', () => {
  const banner = async (token?: null) =>
    (await ask(`page(id: "${page.id}") { name banner { status text } }`, token)).data.page.banner;

  test('is that of the public page, in its language', async () => {
    expect(await banner()).toEqual({ status: 'OPERATIONAL', text: expect.any(String) });
    const { id } = await createNotice(service, page.path, { subject: 'Now', component_ids: [child] });
    const { status, text } = await banner(null);
    expect(status).toBe('DEGRADED');
    const readPage = async () => (await fetch(`${service.url}/status/${page.id}/api/v1/status`)).json();
    let shown = await readPage();
    // The page is rendered a moment after the change.
    for (let tries = 0; !JSON.stringify(shown).includes(text) && tries < 100; tries++) {
      await new Promise(done => setTimeout(done, 50));
      shown = await readPage();
    }
    expect(JSON.stringify(shown)).toContain(text);
    await service.delete(`${page.path}/notices/${id}`);
    expect((await banner()).status).toBe('OPERATIONAL');
  });

  test('is in the payload of a mutation as it is then', async () => {
    const mutation = `mutation { openIncident(pageId: "${page.id}", input: { subject: "X", shouldPublish: false }) {
      notice { id } page { banner { status } } } }`;
    const { notice, page: changed } = (await service.graphql(mutation)).json.data.openIncident;
    expect(changed.banner.status).toBe('DEGRADED');
    await service.delete(`${page.path}/notices/${notice.id}`);
  });

  test.each(['the banner alone', 'variables and a fragment'])(
    'is in an event, with the status and the days of components, as of the change: %s',
    async documentOf => {
      const fields = 'banner { status } components { nodes { status uptime history { status } } }';
      const query =
        documentOf === 'the banner alone'
          ? `subscription { pageChanged(pageId: "${page.id}") { page { ${fields} } } }`
          : `subscription S($id: ID!) { pageChanged(pageId: $id) { page { ...F } } } fragment F on Page { ${fields} }`;
      const parameters = new URLSearchParams({ query, variables: JSON.stringify({ id: page.id }) });
      const stream = await openEvents(`${service.url}/graphql/stream?${parameters}`, {
        headers: { accept: 'text/event-stream' },
      });
      const readPage = async () => {
        const { data, errors } = (await stream.next())!.json;
        expect(errors).toBeUndefined();
        return data.pageChanged.page;
      };
      expect((await readPage()).banner).toEqual({ status: 'OPERATIONAL' });
      const { id } = await createNotice(service, page.path, { subject: 'Now', component_ids: [child] });
      const shown = await readPage();
      expect(shown.banner).toEqual({ status: 'DEGRADED' });
      expect(shown.components.nodes.map(({ status }: { status: string }) => status)).toContain('DEGRADED');
      expect(shown.components.nodes[0].history).toHaveLength(90);
      await service.delete(`${page.path}/notices/${id}`);
      expect((await readPage()).banner).toEqual({ status: 'OPERATIONAL' });
      stream.close();
    },
  );
});
