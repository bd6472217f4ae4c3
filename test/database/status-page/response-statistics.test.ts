import { beforeAll, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { requestPage } from '../../support/visitor.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useService();
let page: { id: string; path: string };
const get = (path: string) => requestPage(service.url, `${page.id}.localhost`, path);
const getJson = async (path: string) => JSON.parse((await get(path)).text);

const minutes = (from: string, count: number) => new Date(Date.parse(from) + count * 60_000).toISOString();
const begins = [
  '2025-10-05T08:00:00.000Z',
  '2025-10-09T23:50:00.000Z',
  '2025-10-26T00:30:00.000Z',
  '2025-10-31T22:59:00.000Z',
];

beforeAll(async () => {
  page = await createPage(service, { timezone: 'Berlin' });
  for (const [index, beganAt] of [...begins, '2025-10-31T23:00:00.000Z'].entries()) {
    const { id, path } = await createNotice(service, page.path, {
      subject: `Down ${index}`,
      state: 'resolved',
      began_at: beganAt,
      ended_at: minutes(beganAt, 90),
      initial_comment: index % 2 ? 'We look.' : '',
    });
    await service.post(`${path}/updates`, { content: 'Over.' });
    await service.database.query(
      `update notice_update u set created_at = $2::timestamptz + (u.id - first.id + 1) * $3::int * interval '1 minute'
       from (select min(id) as id from notice_update where notice_id = $1) first where u.notice_id = $1`,
      [id, beganAt, 4 + index ** 2],
    );
    await service.database.query('update notice set created_at = began_at where id = $1', [id]);
    await service.database.query(
      `insert into next_update_deadline (page_id, notice_id, made_by, due_at, settled_at)
       select $1, $2, 'x', $3::timestamptz + interval '1 hour', $3::timestamptz + $4::int * interval '1 minute'`,
      [page.id, id, beganAt, index % 3 ? 60 : 61],
    );
  }
  // It was over when it was entered, and does not count.
  await createNotice(service, page.path, {
    state: 'resolved',
    began_at: begins[0],
    ended_at: minutes(begins[0]!, 90),
  });
});

test('a page shows no statistics unless it wants them', async () => {
  expect((await get('/history/2025-10')).text).not.toContain('first update');
  expect((await get('/history/2025-10/statistics.json')).status).toBe(404);
});

test('the statistics of a month follow from the public data of the page', async () => {
  const { json } = await service.graphql(
    `mutation { updatePage(id: "${page.id}", input: { shouldShowResponseStatistics: true }) { page { shouldShowResponseStatistics } } }`,
  );
  expect(json.data.updatePage.page).toEqual({ shouldShowResponseStatistics: true });
  await waitUntilEqual(async () => (await get('/history/2025-10/statistics.json')).status, 200);
  const { statistics, incidents, deadlines } = await getJson('/history/2025-10/statistics.json');

  // As docs/public-page.md says, from what the page says of each notice.
  const seconds: number[] = [];
  for (const { id } of incidents) {
    const { notice } = await getJson(`/api/v1/notices/${id}.json`);
    const words: number[] = notice.updates.map((update: { created_at: string }) => Date.parse(update.created_at));
    const first = Math.min(...(words.length ? words : [Date.parse(notice.created_at)]));
    seconds.push(Math.max(0, first - Date.parse(notice.began_at)) / 1000);
  }
  const [, low, high] = seconds.toSorted((one, other) => one - other) as [number, number, number, number];
  const kept = deadlines.filter((one: { due_at: string; settled_at: string }) => one.settled_at <= one.due_at).length;
  expect(incidents.map((incident: { began_at: string }) => incident.began_at)).toEqual(begins);
  expect(statistics).toEqual({
    incidents: 4,
    median_seconds_to_first_update: (low + high) / 2,
    longest_seconds_to_first_update: Math.max(...seconds),
    deadlines: { made: 3, on_time: kept, late: 3 - kept, open: 0 },
  });
  expect([statistics.median_seconds_to_first_update, kept]).toEqual([390, 2]);

  const { text } = await get('/history/2025-10');
  expect(text).toContain('Median time to the first update: 6 minutes');
  expect(text).toContain('Updates posted on time: 2 of 3');
  expect((await get('/history/2025-10?lang=de')).text).toContain('Median bis zur ersten Aktualisierung: 6 Minuten');
});

test('a month before the page began, and one that is none, have no statistics', async () => {
  for (const month of ['2020-01', '2025-13', 'x'])
    expect((await get(`/history/${month}/statistics.json`)).status).toBe(404);
});
