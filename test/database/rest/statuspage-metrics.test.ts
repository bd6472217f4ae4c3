import { beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

/** Values of metrics, as pushers of Prometheus and others send them to Statuspage. */
const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian' })).id;
});

const path = (rest: string) => `/api/v1/statuspage/v1/pages/${page}/${rest}`;
const createMetric = async (name: string): Promise<string> => {
  const { json } = await service.post(path('metrics_providers/self/metrics'), { metric: { name } });
  return json.id;
};
const countOf = async (id: string) => {
  const text =
    'select coalesce(sum(count), 0)::integer as count from metric_bucket where metric_id = $1 and seconds = 300';
  return (await service.database.query<{ count: number }>(text, [Number(id)]))[0]!.count;
};

test('values of several metrics are recorded at once', async () => {
  const [one, two] = [await createMetric('One'), await createMetric('Two')];
  const now = Math.floor(Date.now() / 1000);
  const data = {
    [one]: [
      { timestamp: now, value: 42.5 },
      { timestamp: now - 0.75, value: 43 },
    ],
    [two]: [{ timestamp: String(now), value: '0.123457' }],
  };
  const { status, json, headers } = await service.post(path('metrics/data'), { data });
  expect([status, headers.get('warning')]).toEqual([202, null]);
  expect(json).toEqual({
    [one]: [
      { timestamp: now, value: 42.5 },
      { timestamp: now - 1, value: 43 },
    ],
    [two]: [{ timestamp: now, value: 0.123457 }],
  });
  expect([await countOf(one), await countOf(two)]).toEqual([2, 1]);
  await service.post(path('metrics/data'), { data });
  expect([await countOf(one), await countOf(two)]).toEqual([4, 2]);
  const { json: metric } = await service.get(path(`metrics/${two}`));
  expect(Date.parse(metric.most_recent_data_at)).toBeLessThanOrEqual(now * 1000);
});

test('values that cannot be stored are named, and the others are recorded', async () => {
  const id = await createMetric('Three');
  const now = Math.floor(Date.now() / 1000);
  const old = now - 91 * 86_400;
  const points = [{ timestamp: now, value: 1 }, { timestamp: now, value: 'NaN' }, { timestamp: old, value: 2 }, 3];
  const data = { [id]: points, '999999999': [{ timestamp: now, value: 1 }], __x: [{ value: 1 }] };
  const { status, json, headers } = await service.post(path('metrics/data.json'), { data });
  expect([status, json, await countOf(id)]).toEqual([202, { [id]: [{ timestamp: now, value: 1 }] }, 1]);
  const warnings = headers.get('warning');
  for (const text of [
    `'${id}'[1] was left out: value must be a number.`,
    `'${id}'[3] was left out: value must be a number.`,
    `'${id}' was left out: timestamp must be within the last 90 days or the next 5 minutes.`,
    `'999999999' was left out: the page has no metric with this id.`,
    `'__x' was left out: the page has no metric with this id.`,
  ])
    expect(warnings).toContain(text);
});

test('a long key of points that are left out is cut in the warning about them', async () => {
  const { status, headers } = await service.post(path('metrics/data'), {
    data: { ['x'.repeat(4_000)]: [{ value: 1 }] },
  });
  expect(status).toBe(202);
  expect(headers.get('warning')).toBe(`299 - "'${'x'.repeat(60)}' was left out: the page has no metric with this id."`);
});

test('values are refused by name where there are too many, and without a list', async () => {
  const id = await createMetric('Four');
  const many = await service.post(path('metrics/data'), { data: { [id]: Array(3_001).fill({ value: 1 }) } });
  expect([many.status, many.json.error]).toEqual([422, ['data has more than 3000 members']]);
  expect((await service.post(path('metrics/data'), { [id]: [] })).status).toBe(400);
  expect((await service.post(path('metrics/data'), { data: {} })).status).toBe(202);
  const object = { data: { timestamp: { seconds: 1 }, value: 1 } };
  expect((await service.post(path(`metrics/${id}/data`), object)).status).toBe(422);
});

test('a metric that is not displayed is not on the page', async () => {
  const { id } = await createPage(service);
  const create = (metric: object) =>
    service.post(`/api/v1/statuspage/pages/${id}/metrics_providers/self/metrics`, { metric });
  await create({ name: 'Visible' });
  await create({ name: 'Internal queue', display: false });
  const { text } = await service.get(`/status/${id}/`, { token: null });
  expect(text.match(/Visible|Internal queue/g)).toEqual(['Visible']);
});
