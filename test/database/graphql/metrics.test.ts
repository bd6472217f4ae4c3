import { beforeEach, describe, expect, test } from '@jest/globals';
import { expiredRows } from '../../../src/server/retention/expired-rows.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: { id: string; path: string };
beforeEach(async () => {
  page = await createPage(service, { timezone: 'UTC' });
});

const fields = 'id name unit color decimalPlaces latestValue';
const create = async (input: object = {}) => {
  const { json } = await service.graphql(
    `mutation($page: ID!, $input: CreateMetricInput!) {
       createMetric(pageId: $page, input: $input) { metric { ${fields} } userErrors { path } } }`,
    { page: page.id, input: { name: 'Response time', unit: 'ms', ...input } },
  );
  return json;
};
const createId = async (input: object = {}): Promise<string> => (await create(input)).data.createMetric.metric.id;
const record = async (id: string, value: number, timestamp?: Date) => {
  const { json } = await service.graphql(
    `mutation($page: ID!, $id: ID!, $input: RecordMetricInput!) {
       recordMetric(pageId: $page, id: $id, input: $input) { metric { ${fields} } userErrors { path } } }`,
    { page: page.id, id, input: { value, timestamp: timestamp?.toISOString() } },
  );
  return json;
};
const buckets = (id: string) =>
  service.database.query<{ seconds: number; sum: number; count: number; min: number; max: number }>(
    'select seconds, sum, count, min, max from metric_bucket where metric_id = $1 order by began_at, seconds',
    [id],
  );

describe('createMetric', () => {
  test('creates a metric with default colour and decimal places', async () => {
    const { data } = await create();
    expect(data.createMetric.metric).toMatchObject({
      name: 'Response time',
      unit: 'ms',
      color: '#3b82f6',
      decimalPlaces: 0,
      latestValue: null,
    });
  });

  test.each([null, '', ' '])('has no unit where that is %j, and keeps what updateMetric leaves out', async unit => {
    const id = await createId();
    const update = async (input: object) => {
      const { json } = await service.graphql(
        `mutation($page: ID!, $id: ID!, $input: UpdateMetricInput!) {
           updateMetric(pageId: $page, id: $id, input: $input) { metric { ${fields} } } }`,
        { page: page.id, id, input },
      );
      return json.data.updateMetric?.metric;
    };
    expect(await update({ unit })).toMatchObject({ unit: null, name: 'Response time' });
    expect(await update({ color: '#112233' })).toMatchObject({ unit: null, color: '#112233' });
  });

  test.each([
    ['name', { name: ' ' }],
    ['unit', { unit: 'x'.repeat(21) }],
    ['color', { color: 'red' }],
    ['decimalPlaces', { decimalPlaces: 6 }],
  ])('refuses what %s cannot be', async (field, input) => {
    expect((await create(input)).data.createMetric.userErrors).toMatchObject([
      { path: expect.arrayContaining([field]) },
    ]);
  });

  test('refuses the 21st of a page', async () => {
    for (let count = 0; count < 20; count += 1) await create();
    expect((await create()).data.createMetric.userErrors).toHaveLength(1);
  });
});

describe('recordMetric', () => {
  test('adds the values of one time to its 5 minutes and its hour', async () => {
    const id = await createId();
    const at = new Date(Date.now() - 86_400_000);
    await record(id, 10, at);
    await record(id, 30, at);
    const expected = { sum: 40, count: 2, min: 10, max: 30 };
    expect((await buckets(id)).toSorted((one, other) => one.seconds - other.seconds)).toEqual([
      { seconds: 300, ...expected },
      { seconds: 3600, ...expected },
    ]);
    const { data } = await record(id, 20, at);
    expect(data.recordMetric.metric.latestValue).toBe(20);
  });

  test.each([
    ['timestamp', 1, -91 * 86_400_000],
    ['timestamp', 1, 10 * 60_000],
    ['value', 1e16, 0],
  ])('refuses a %s that is out of range: %d at %d ms', async (field, value, offsetMs) => {
    const id = await createId();
    const { data } = await record(id, value, new Date(Date.now() + offsetMs));
    expect(data.recordMetric.userErrors).toMatchObject([{ path: expect.arrayContaining([field]) }]);
    expect(await buckets(id)).toEqual([]);
  });

  test('leaves no entry in the audit log, and is no change of the page', async () => {
    const id = await createId();
    const count = () =>
      service.database.query(
        `select change_count, (select count(*) from audit_entry where page_id = p.id) as entries from page p where id = $1`,
        [page.id],
      );
    const before = await count();
    await record(id, 1);
    expect(await count()).toEqual(before);
  });
});

test('deleteMetric deletes its values', async () => {
  const id = await createId();
  await record(id, 1);
  await service.graphql('mutation($id: ID!) { deleteMetric(id: $id) { deletedId } }', { id });
  expect(await buckets(id)).toEqual([]);
});

test('values are deleted after 90 days', async () => {
  const id = await createId();
  await service.database.query(
    `insert into metric_bucket (metric_id, seconds, began_at, sum, count, min, max)
     select $1, 300, clock_timestamp() - days * interval '1 day', 1, 1, 1, 1 from unnest(array[89, 91]) days`,
    [id],
  );
  const { condition } = expiredRows.find(({ table }) => table === 'metric_bucket')!;
  await service.database.query(`delete from metric_bucket t where ${condition} and metric_id = $1`, [id]);
  expect(await buckets(id)).toHaveLength(1);
});

test.each([
  ['/v1', () => `/v1/pages/${page.id}/metrics`, 'data', 201],
  ['/api/v1/statuspage', () => `/api/v1/statuspage/v1/pages/${page.id}/metrics`, 'data.json', 201],
])('%s takes a value in the shape of Statuspage', async (_, path, ending, status) => {
  const id = await createId();
  const timestamp = Math.floor(Date.now() / 1000) - 3_600;
  const response = await service.post(`${path()}/${id}/${ending}`, { data: { timestamp, value: 12.5 } });
  expect(response.status).toBe(status);
  expect(await buckets(id)).toMatchObject([{ sum: 12.5 }, { sum: 12.5 }]);
});

test('/v1 lists the metrics of a page, filtered and paged', async () => {
  const ids = [await createId(), await createId({ name: 'Errors' }), await createId({ name: 'Queue' })].map(Number);
  await record(String(ids[0]), 42);
  const list = async (query = '') => (await service.get(`${page.path}/metrics${query}`)).json;
  const { response, count } = await list('?include=version');
  expect(response.map(({ id }: { id: number }) => id)).toEqual(ids);
  expect([response[0], count]).toMatchObject([
    { name: 'Response time', unit: 'ms', latest_value: 42, version: expect.any(Number) },
    3,
  ]);
  expect((await list('?filter[name_eq]=Errors')).response).toMatchObject([{ id: ids[1] }]);
  expect(await list('?page=2&per_page=2')).toMatchObject({
    response: [{ id: ids[2] }],
    count: 1,
    pagination: { current: 2, previous: 1, next: null, per_page: 2, pages: 2, count: 3 },
  });
});

test('the public page draws a metric, and a page without metrics has nothing of them', async () => {
  const read = async () => (await fetch(`${service.url}/status/${page.id}/`)).text();
  expect(await read()).not.toMatch(/metric|plots/);
  page = await createPage(service, { timezone: 'UTC' });
  const drawn = await createId({ name: 'Latency <1>', color: '#aa0000' });
  await record(drawn, 10, new Date(Date.now() - 3_600_000));
  await record(drawn, 30, new Date(Date.now() - 3_600_000));
  const text = await read();
  expect(text).toContain('Latency &lt;1&gt;');
  expect(text).toContain('stroke="#aa0000"');
  expect(text).toMatch(/Lowest 10\u00a0ms, average 20\u00a0ms, highest 30\u00a0ms/);
});

describe('Page.metrics', () => {
  const query = `query($page: ID!) {
    page(id: $page) { metrics { nodes { name points(period: DAY) { beganAt average minimum maximum count } } } } }`;

  test('has the points that the page draws, for readers without a token those of shown metrics', async () => {
    const shown = await createId();
    await createId({ name: 'Internal', isShown: false });
    const at = new Date(Math.floor(Date.now() / 900_000) * 900_000 - 900_000);
    await record(shown, 10, at);
    await record(shown, 30, at);
    const read = async (token?: null) => (await service.graphql(query, { page: page.id }, { token })).json.data.page;
    const points = [{ beganAt: at.toISOString(), average: 20, minimum: 10, maximum: 30, count: 2 }];
    const { metrics } = await read(null);
    expect(metrics.nodes).toEqual([{ name: 'Response time', points }]);
    expect((await read()).metrics.nodes).toEqual([...metrics.nodes, { name: 'Internal', points: [] }]);
  });
});
