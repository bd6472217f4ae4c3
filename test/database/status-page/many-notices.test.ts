import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { query as queryIn } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { locales } from '../../../src/i18n/locales.js';
import { loadSnapshot } from '../../../src/status-page/view/load-snapshot.js';
import { noticeLimits, type PageSnapshot } from '../../../src/status-page/view/snapshot.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { requestPage } from '../../support/visitor.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
let page: string;
let host: string;
let snapshot: PageSnapshot;
let components: { root: number; leaf: number; other: number };

/** Inserts copies of a notice: `values` are the columns of copy number `i`, and `named` the component that it names. */
async function insertNotices(
  count: number,
  values: Record<string, string>,
  named: number | null = null,
): Promise<void> {
  const columns = { ...values, path: `substr(md5(random()::text), 1, 16) || '-' || i` };
  await service.database.query(
    `with made as (
       insert into notice (page_id, subject, created_at, updated_at, ${Object.keys(columns)})
       select $1, 'Notice ' || i, now(), now(), ${Object.values(columns)} from generate_series(1, $2::integer) i
       returning id)
     insert into notice_component select id, $3::integer from made where $3::integer is not null`,
    [page, count, named],
  );
}

const ago = (interval: string) => `date_trunc('milliseconds', now()) - ${interval}`;
const resolved = (begin: string) => ({
  type: `'unplanned'`,
  state: `'resolved'`,
  began_at: begin,
  ended_at: `${begin} + interval '5 minutes'`,
});

beforeAll(async () => {
  const created = await createPage(service, { name: 'Busy' });
  page = created.id;
  host = `${page}.localhost`;
  const root = (await createComponent(service, created.path, { name: 'Root' })).id;
  const leaf = (await createComponent(service, created.path, { name: 'Leaf', parent_id: root })).id;
  const other = (await createComponent(service, created.path, { name: 'Other' })).id;
  components = { root, leaf, other };
  await createNotice(service, created.path, { subject: 'Open since long', component_ids: [other] });
  await service.database.query(`update notice set began_at = ${ago(`interval '20 days'`)} where page_id = $1`, [page]);
  await insertNotices(
    119,
    { type: `'unplanned'`, state: `'identified'`, began_at: ago(`interval '1 minute' * i`) },
    leaf,
  );
  await insertNotices(7, { type: `'planned'`, state: `'underway'`, began_at: ago(`interval '1 minute' * i`) });
  const begins = { begins_at: `now() + interval '1 hour' * i`, ends_at: `now() + interval '2 hours' * i` };
  await insertNotices(30, { type: `'planned'`, state: `'scheduled'`, ...begins });
  const published = ago(`interval '1 hour' * i`);
  await insertNotices(60, { type: `'general'`, began_at: published, ended_at: published });
  await insertNotices(1_100, resolved(ago(`interval '3 minutes' * i`)), leaf);
  // In a month of their own, long before the days of the history.
  await insertNotices(450, resolved(`'2021-03-02T00:00:00Z'::timestamptz + interval '1 hour' * i`), leaf);
  await insertNotices(5, resolved(`'2021-03-31T23:58:00Z'::timestamptz + interval '1 second' * i`), other);
  snapshot = (await loadSnapshot(service.database, page))!;
});

const list = (matches: (notice: PageSnapshot['notices'][number]) => boolean) => snapshot.notices.filter(matches);

describe('the snapshot of a page with many notices', () => {
  test('has 50 open ones, of which 10 are scheduled, and 200 past ones', () => {
    expect(list(({ state }) => state === 'identified')).toHaveLength(40);
    expect(list(({ state }) => state === 'scheduled')).toHaveLength(10);
    expect(list(({ type }) => type === 'general')).toHaveLength(noticeLimits.general);
    expect(list(({ state }) => state === 'resolved')).toHaveLength(noticeLimits.past);
    expect(snapshot.notices).toHaveLength(250);
  });

  test('has the newest of each, the next of the scheduled ones, and how many there are', () => {
    const numbers = (matches: Parameters<typeof list>[0]) =>
      list(matches)
        .map(({ subject }) => Number(subject.split(' ')[1]))
        .sort((one, other) => one - other);
    const first = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    expect(numbers(({ state }) => state === 'identified')).toEqual(first(40));
    expect(numbers(({ state }) => state === 'scheduled')).toEqual(first(10));
    expect(numbers(({ type }) => type === 'general')).toEqual(first(50));
    expect(numbers(({ state }) => state === 'resolved')).toEqual(first(150));
    expect(snapshot.counts).toEqual({ present: 127, future: 30, general: 60, past: 1_100 });
  });

  test('has the history of the open notices, and of those that ended, as far as it reaches back', () => {
    const { notices, completeSince } = snapshot.history!;
    expect(notices.filter(({ endedAt }) => endedAt === null)).toHaveLength(127);
    expect(notices.filter(({ endedAt }) => endedAt !== null)).toHaveLength(1_000);
    const ends = notices.flatMap(({ endedAt }) => (endedAt ? Date.parse(endedAt) : []));
    expect(Date.parse(completeSince!)).toBe(Math.min(...ends));
    expect(notices[0]).toEqual({ ...notices[0], componentIds: expect.any(Array) });
    expect(notices.find(({ componentIds }) => componentIds.includes(components.other))).toBeDefined();
  });
});

describe('a page with many notices', () => {
  test('says how many more there are, and links to them, also for programs', async () => {
    const { text } = await requestPage(service.url, host, '/');
    const links = [...text.matchAll(/<a class="more" href="([^"]*)">([^<]*) more notices</g)].map(
      ([, ...link]) => link,
    );
    expect(links).toEqual([
      ['/notices', '87'],
      ['/notices', '20'],
      ['/history', '10'],
      ['/history', '950'],
    ]);
    const { headers } = await requestPage(service.url, host, '/api/v2/summary.json');
    const [, origin] = /<(.*)\/notices>/.exec(String(headers.link))!;
    expect(headers).toMatchObject({
      link: `<${origin}/notices>; rel="related", <${origin}/history>; rel="related"`,
      'access-control-expose-headers': 'Link',
    });
  });

  test('shows a component as degraded that only an omitted notice names', async () => {
    const { text } = await requestPage(service.url, host, '/api/v2/components.json');
    const { components: listed } = JSON.parse(text);
    expect(listed.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['Root', 'degraded_performance'],
      ['Leaf', 'degraded_performance'],
      ['Other', 'degraded_performance'],
    ]);
  });
});

/** The tokens of the notices that a document links to, in its order. */
const listLinks = (text: string) => [
  ...new Set([...text.matchAll(/<a href="\/notices\/([a-z0-9]{16})/g)].map(([, token]) => token!)),
];

/** Follows the links to the next page, from the first one on. */
async function readPages(path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next && pages.length < 20; ) {
    const { status, text } = await requestPage(service.url, host, next);
    expect(status).toBe(200);
    pages.push(listLinks(text));
    next = /<a href="([^"]*)" rel="next">Next page</.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return pages;
}

const findTokens = async (condition: string): Promise<string[]> => {
  const rows = await service.database.query<{ token: string }>(
    `select left(n.path, 16) as token from notice n where n.page_id = $1 and ${condition}`,
    [page],
  );
  return rows.map(({ token }) => token).sort();
};

describe('the list of open notices', () => {
  test('has each of them once, 50 a page, incidents first, then maintenance', async () => {
    const pages = await readPages('/notices');
    expect(pages.map(tokens => tokens.length)).toEqual([50, 50, 50, 7]);
    expect(pages.flat().toSorted()).toEqual(await findTokens('n.ended_at is null'));
    expect(pages.flat().slice(120, 127).toSorted()).toEqual(await findTokens(`n.state = 'underway'`));
    expect(pages.flat().slice(127).toSorted()).toEqual(await findTokens(`n.state = 'scheduled'`));
  });

  test('is not found beyond its last page', async () => {
    for (const number of ['5', '0', 'x', '1.0', '999999', '9999999'])
      expect((await requestPage(service.url, host, `/notices?page=${number}`)).status).toBe(404);
  });
});

describe('the history of a month', () => {
  const ofMarch = `n.ended_at >= '2021-03-01' and n.began_at < '2021-04-01'`;

  test('has each notice that ended or began in it once, 200 a page', async () => {
    const pages = await readPages('/history/2021-03');
    expect(pages.map(tokens => tokens.length)).toEqual([200, 200, 55]);
    expect(pages.flat().toSorted()).toEqual(await findTokens(ofMarch));
    const april = await readPages('/history/2021-04');
    expect(april.flat().toSorted()).toEqual(
      await findTokens(`n.ended_at >= '2021-04-01' and n.ended_at < '2021-05-01'`),
    );
    expect((await requestPage(service.url, host, '/history/2021-03?page=4')).status).toBe(404);
  });

  test('has those that concern a component, through its ancestors and descendants', async () => {
    expect((await readPages(`/history/2021-03?component=${components.root}`)).map(tokens => tokens.length)).toEqual([
      200, 200, 50,
    ]);
    expect((await readPages(`/history/2021-03?component=${components.other}`)).map(tokens => tokens.length)).toEqual([
      5,
    ]);
  });

  test('is not found before the first notice, without a query', async () => {
    const { database } = service;
    const { read } = database;
    let reads = 0;
    database.read = (...statement) => {
      reads += 1;
      return read(...statement);
    };
    try {
      for (const path of ['/history/2021-02', '/history/1970-01?lang=de', '/history/2021-03?component=999'])
        expect((await requestPage(service.url, host, path)).status).toBe(404);
      expect(reads).toBe(0);
      expect((await requestPage(service.url, host, '/history/2021-03?lang=de')).status).toBe(200);
      expect(reads).toBe(1);
    } finally {
      database.read = read;
    }
  });
});

test('visitors who request very many variants at once are told to try again, and others are served', async () => {
  const { database } = service;
  const { read } = database;
  let proceed = () => {};
  const gate = new Promise<void>(open => {
    proceed = open;
  });
  database.read = async (...statement) => {
    await gate;
    return read(...statement);
  };
  try {
    const variants = locales.flatMap(lang => ['', components.root, components.leaf].map(one => [lang, one] as const));
    const statuses: number[] = [];
    const requests = variants.map(async ([lang, component]) => {
      const response = await requestPage(service.url, host, `/history/2021-04?lang=${lang}&component=${component}`);
      statuses.push(response.status);
      return response;
    });
    for (let tries = 0; statuses.length < variants.length - 52 && tries < 1_000; tries++) await setTimeout(10);
    expect(statuses).toEqual(Array(variants.length - 52).fill(503));
    expect((await requestPage(service.url, host, '/')).status).toBe(200);
    proceed();
    const responses = await Promise.all(requests);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(52);
    expect(responses.find(({ status }) => status === 503)!.headers).toMatchObject({
      'retry-after': '1',
      'cache-control': 'no-cache',
    });
  } finally {
    proceed();
    database.read = read;
  }
});

test('the indexes serve each list in its order, so that no list is sorted or read as a whole', async () => {
  const plan = (query: string, table = 'notice n') =>
    inTransaction(service.database, async em => {
      // What the planner prefers for a small table.
      await queryIn(em, 'set local enable_seqscan = off');
      await queryIn(em, 'set local enable_bitmapscan = off');
      return JSON.stringify(await queryIn(em, `explain (format json) select id from ${table} where ${query}`, [page]));
    });
  const lists = {
    notice_present_index: `n.page_id = $1 and n.state in ('investigating', 'identified', 'recovering', 'underway')
      order by n.type desc, n.began_at desc, n.id desc limit 5`,
    notice_scheduled_index: `n.page_id = $1 and n.state = 'scheduled' order by n.begins_at, n.id limit 5`,
    notice_general_index: `n.page_id = $1 and n.type = 'general' and n.ended_at > now() order by n.ended_at desc, n.id desc`,
    notice_past_index: `n.page_id = $1 and n.type <> 'general' and n.ended_at > now() order by n.ended_at desc, n.id desc`,
    notice_token_index: `n.page_id = $1 and left(n.path, 16) = 'x'`,
  };
  for (const [index, query] of Object.entries(lists)) {
    expect(await plan(query)).toContain(index);
    expect(await plan(query)).not.toContain('Sort');
  }
  const updates = 'u.notice_id = (select max(id) from notice where page_id = $1) order by u.posted_at, u.id';
  expect(await plan(updates, 'notice_update u')).not.toContain('Sort');
});
