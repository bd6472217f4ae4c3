import { beforeAll, describe, expect, test } from '@jest/globals';
import { writeAs } from '../../../../src/cli/access-commands.js';
import { movePage } from '../../../../src/transfer/page-move/move-page.js';
import { Target } from '../../../../src/transfer/page-move/target.js';
import { createComponent, createPage, createSubscriber } from '../../../support/factories.js';
import { type TestService, useOwnService, useService } from '../../../support/service.js';
import { withChannels } from '../../../support/settings.js';
import { createPublishingPage } from '../../../support/ledger.js';
import { rememberKeys } from '../../../support/remember-keys.js';
import { requestPage } from '../../../support/visitor.js';
import { createToken } from '../../../support/tokens.js';

rememberKeys();
const origin = useService();
const there = useOwnService({ ...withChannels, publicUrl: 'https://there.example' });

const tokens = new Map<string, string>();
beforeAll(async () => {
  for (const { url, database } of [origin, there])
    tokens.set(url, await createToken(database, 'owner', { role: 'owner' }));
});

interface Options {
  isDryRun?: boolean;
  from?: TestService;
  to?: TestService;
  sendBy?: typeof fetch;
}

const move = (pageId: string, { isDryRun = false, from = origin, to = there, sendBy = fetch }: Options = {}) =>
  movePage(from.database, writeAs(from.database, 'movePage'), {
    pageId,
    settings: from.settings,
    isDryRun,
    maxWaitMs: 0,
    target: new Target({ url: to.url, token: tokens.get(to.url)!, fetch: sendBy, presenceIntervalMs: 10 }),
  });

/** Of each installation whether it has the page. */
const findHomes = async (id: string) => [await isAt(origin, id), await isAt(there, id)];
const isAt = async ({ database }: TestService, pageId: string) =>
  (await database.query('select 1 from page where id = $1', [pageId])).length > 0;

/** Each write that was acknowledged, by a loop of requests that ends when the page has moved. */
async function writeUntilMoved<Written>(write: (number: number) => Promise<{ status: number; written: Written }>) {
  const acknowledged: Written[] = [];
  for (let number = 1; ; number++) {
    const { status, written } = await write(number);
    if (status === 410) return acknowledged;
    expect([200, 201, 204]).toContain(status);
    acknowledged.push(written);
  }
}

test('a page moves while it is written to: each write is there, or was refused', async () => {
  const page = await createPage(origin, { name: 'Moving' });
  const component = await createComponent(origin, page.path);
  const addresses = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const { path, email } = await createSubscriber(origin, page.path, { email: `s${index}@acme.example` });
      return { path, email };
    }),
  );
  const scoped = await createToken(origin.database, 'scoped', { role: 'owner', pageIds: [page.id] });
  const emails = addresses.map(({ email }) => email);
  const writers = [
    writeUntilMoved(async number => {
      const subject = `Notice ${number}`;
      const { status } = await origin.post(`${page.path}/notices`, { subject, component_ids: [component.id] });
      return { status, written: subject };
    }),
    writeUntilMoved(async number => {
      const name = `Name ${number}`;
      const { status } = await origin.patch(`${page.path}/components/${component.id}`, { name }, { token: scoped });
      return { status, written: name };
    }),
    writeUntilMoved(async () => {
      // The last one is deleted again and again, until the page has moved.
      const { path, email } = addresses.length > 1 ? addresses.pop()! : addresses[0]!;
      const { status } = await origin.delete(path);
      return { status: status === 404 ? 200 : status, written: email };
    }),
    writeUntilMoved(async number => {
      const email = `new${number}@acme.example`;
      return { status: (await origin.post(`${page.path}/subscribers`, { email })).status, written: email };
    }),
  ];
  const { url, heldMs } = await move(page.id);
  const [subjects, names, gone, added] = await Promise.all(writers);
  expect(subjects!.length).toBeGreaterThan(0);
  expect(heldMs).toBeGreaterThan(0);
  expect(url).toBe(`https://there.example/status/${page.id}/`);
  const read = async (statement: string) =>
    (await there.database.query<{ value: string }>(statement, [page.id])).map(({ value }) => value);
  expect(await read('select subject as value from notice where page_id = $1 order by id')).toEqual(subjects);
  expect(await read('select name as value from component where page_id = $1')).toEqual([names!.at(-1)]);
  const left = [...emails.filter(email => !gone!.includes(email)), ...added!];
  expect((await read('select email as value from subscriber where page_id = $1')).toSorted()).toEqual(left.toSorted());
  expect(await there.database.query('select 1 from publication where page_id = $1', [page.id])).toEqual([]);
  expect(await findHomes(page.id)).toEqual([false, true]);
});

test('the addresses of a page that has moved lead to the other installation', async () => {
  const page = await createPage(origin);
  const domain = `moved-${page.id}.example`;
  const { data } = (
    await origin.graphql(
      `mutation ($id: ID!) { createAlertSource(pageId: $id, input: { name: "Alertmanager", rules: [],
         fields: { title: "$.name", labels: [{ name: "level", path: "$.level" }] } }) { hookUrl } }`,
      { id: page.id },
    )
  ).json;
  const hook = new URL(data.createAlertSource.hookUrl).pathname;
  await origin.database.query(
    `insert into custom_domain (page_id, created_at, updated_at, domain, claimed_at, verified_at, proof_token, next_check_at)
     values ($1, now(), now(), $2, now(), now(), 'proof', now())`,
    [page.id, domain],
  );
  await move(page.id);
  const at = `https://there.example/status/${page.id}/`;
  const redirect = async (path: string) => {
    const { status, headers } = await origin.get(path, { token: null });
    return [status, headers.get('location')];
  };
  expect(await redirect(`/status/${page.id}`)).toEqual([308, at]);
  expect(await redirect(`/status/${page.id}/feed.atom?x=1`)).toEqual([308, `${at}feed.atom?x=1`]);
  const onDomain = await requestPage(origin.url, domain, '/history');
  expect([onDomain.status, onDomain.headers.location]).toEqual([308, `${at}history`]);
  expect((await origin.get(`/domains/allowed?domain=${domain}`)).status).toBe(200);
  expect((await origin.post(hook, {}, { token: null })).headers.get('location')).toBe(`https://there.example${hook}`);
  const readFields = 'select fields from alert_source where page_id = $1';
  expect(await there.database.query(readFields, [page.id])).toMatchObject([
    { fields: { title: '$.name', labels: [{ name: 'level', path: '$.level' }] } },
  ]);
  const moved = { error: 'gone', error_description: `The page has moved to ${at}` };
  for (const path of ['', '/notices', '/notices/1', '/components'])
    expect([path, (await origin.get(`/v1/pages/${page.id}${path}`)).json]).toEqual([path, moved]);
  const { json } = await origin.graphql(`{ page(id: "${page.id}") { name } }`);
  expect(json.errors).toMatchObject([{ message: moved.error_description, extensions: { code: 'GONE' } }]);
});

test('a dry run says what would be moved, and leaves the page where it is', async () => {
  const page = await createPage(origin);
  await createComponent(origin, page.path);
  expect(await move(page.id, { isDryRun: true })).toMatchObject({ rows: { pages: 1, components: 1 }, heldMs: null });
  expect(await findHomes(page.id)).toEqual([true, false]);
});

test('a page that moves back has its old addresses again', async () => {
  const page = await createPage(origin);
  await move(page.id);
  await move(page.id, { from: there, to: origin });
  expect(await findHomes(page.id)).toEqual([true, false]);
  expect((await origin.get(`/status/${page.id}/`)).status).toBe(200);
  expect((await origin.get(page.path)).status).toBe(200);
  expect((await there.get(page.path)).status).toBe(410);
});

describe('the page stays', () => {
  test('while a message of it is not sent', async () => {
    const page = await createPublishingPage(origin);
    await page.notice();
    await expect(move(page.id)).rejects.toThrow(/^Messages of the page that are held, being sent or tried again: \d/);
    expect(await findHomes(page.id)).toEqual([true, false]);
  });

  test('where the other installation has one of its ids', async () => {
    const page = await createPage(origin);
    const { id } = await createComponent(origin, page.path);
    await there.database.query(
      `insert into page (id, created_at, updated_at, name, link_key) values ('0badcafe', now(), now(), 'x', repeat('a', 64))`,
    );
    await there.database.query(
      `insert into component (id, page_id, created_at, updated_at, name, position) values ($1, '0badcafe', now(), now(), 'x', 1)`,
      [id],
    );
    await expect(move(page.id)).rejects.toThrow(
      `refuses the page: The installation has already: components with the id ${id}.`,
    );
    expect(await findHomes(page.id)).toEqual([true, false]);
  });

  test('where the token is not of an owner of all pages', async () => {
    const page = await createPage(origin);
    const target = new Target({ url: there.url, token: there.tokens.read, fetch });
    const options = { pageId: page.id, settings: origin.settings, isDryRun: false, target };
    await expect(movePage(origin.database, writeAs(origin.database, 'movePage'), options)).rejects.toThrow(
      'The other installation refuses the page: The action you requested was forbidden.',
    );
    expect(await findHomes(page.id)).toEqual([true, false]);
  });

  test('where the connection ends before the import', async () => {
    const page = await createPage(origin);
    const sendBy: typeof fetch = (url, init) => (isImport(url) ? Promise.reject(new Error('reset')) : fetch(url, init));
    await expect(move(page.id, { sendBy })).rejects.toThrow(
      'The connection to the other installation ended (reset). Nothing was moved.',
    );
    expect(await findHomes(page.id)).toEqual([true, false]);
  });

  test('where the other installation ends to answer, and it is said that it may be there as well', async () => {
    const page = await createPage(origin);
    let isDown = false;
    const sendBy: typeof fetch = (url, init) => {
      isDown ||= isImport(url);
      return isDown ? Promise.reject(new Error('reset')) : fetch(url, init);
    };
    await expect(move(page.id, { sendBy })).rejects.toThrow(/Look whether it is there as well/);
    expect(await isAt(origin, page.id)).toBe(true);
  });
});

test('a page moves whose import has succeeded although the connection ended before its answer', async () => {
  const page = await createPage(origin);
  const sendBy: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!isImport(url)) return response;
    await response.text();
    throw new Error('reset');
  };
  expect((await move(page.id, { sendBy })).url).toBe(`https://there.example/status/${page.id}/`);
  expect(await findHomes(page.id)).toEqual([false, true]);
});

test.each([
  ['a status of a proxy', () => new Response('Bad gateway', { status: 502 })],
  [
    'an error that may come after the commit',
    () => new Response('{}\n{"error":{"code":"UNAVAILABLE","message":"The database is unavailable."}}\n'),
  ],
])('a page moves whose import has succeeded although the answer is %s', async (_name, answer) => {
  const page = await createPage(origin);
  const sendBy: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (!isImport(url)) return response;
    await response.text();
    return answer();
  };
  await move(page.id, { sendBy });
  expect(await findHomes(page.id)).toEqual([false, true]);
});

test.each([
  'javascript:alert(1)/',
  'data:text/html,x/',
  'ftp://there.example/',
  'there.example/',
  'https://there.example',
])('a page does not move to %s', async address => {
  const page = await createPage(origin);
  const sendBy: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    return new Response((await response.text()).replaceAll(`https://there.example/status/${page.id}/`, address));
  };
  await expect(move(page.id, { sendBy, isDryRun: true })).rejects.toThrow(/Nothing was moved/);
  await expect(move(page.id, { sendBy })).rejects.toThrow(/Nothing was moved/);
  expect(await findHomes(page.id)).toEqual([true, false]);
});

// The embedded database ends no connection by itself.
(process.env.TEST_DATABASE_URL ? test : test.skip)(
  'it is said that both have the page where it cannot be deleted after the import',
  async () => {
    const page = await createPage(origin);
    const sendBy: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (isImport(url))
        await origin.database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
        );
      return response;
    };
    await expect(move(page.id, { sendBy })).rejects.toThrow(
      /^The other installation has the page, and it could not be/,
    );
    expect(await findHomes(page.id)).toEqual([true, true]);
  },
);

const isImport = (url: unknown) => String(url).includes('dryRun=false');
