import { beforeAll, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { recordStatements } from '../../support/statements.js';

const service = useService();
let page: { id: string; path: string };
let component: number;
let incident: number;
const ask = async (selection: string, token?: null) =>
  (await service.graphql(`{ page(id: "${page.id}") { ${selection} } }`, {}, { token })).json;
const selection = `month timezone beginsAt endsAt incidentCount maintenanceCount medianFirstUpdateSeconds longestFirstUpdateSeconds
  components { componentId component { id name } name groups uptime outageMinutes } nextUpdateDeadlines { made onTime late open }
  notices { noticeId notice { id subject } type subject link beganAt endedAt firstUpdateSeconds }`;

async function createOver(values: object, createdAt: string): Promise<number> {
  const { id } = await createNotice(service, page.path, { component_ids: [component], ...values });
  await service.database.query('update notice set created_at = $2 where id = $1', [id, createdAt]);
  await service.database.query('update notice_update set created_at = $2 where notice_id = $1', [id, createdAt]);
  return id;
}

beforeAll(async () => {
  page = await createPage(service, { timezone: 'Berlin' });
  component = (await createComponent(service, page.path, { name: '=API' })).id;
  await service.database.query(`update component set created_at = '2025-01-01' where id = $1`, [component]);
  incident = await createOver(
    {
      subject: 'Down',
      state: 'resolved',
      initial_comment: 'We look.',
      began_at: '2025-10-31T22:30:00Z',
      ended_at: '2025-10-31T23:30:00Z',
    },
    '2025-10-31T22:37:00Z',
  );
  await service.database.query(`update notice_component set impact = 'major-outage' where notice_id = $1`, [incident]);
  await createOver(
    { subject: 'Slow', state: 'resolved', began_at: '2025-10-02T10:00:00Z', ended_at: '2025-10-02T11:00:00Z' },
    '2025-10-02T10:03:00Z',
  );
  await createOver(
    { subject: 'False', state: 'false_alarm', began_at: '2025-10-03T10:00:00Z', ended_at: '2025-10-03T11:00:00Z' },
    '2025-10-03T10:00:00Z',
  );
  await createOver(
    { subject: 'Late', state: 'resolved', began_at: '2025-10-01T10:00:00Z', ended_at: '2025-10-01T11:00:00Z' },
    '2025-10-10T10:00:00Z',
  );
  await service.database.query(
    `insert into next_update_deadline (page_id, notice_id, made_by, due_at, settled_at)
     select $1, $2, 'x', due::timestamptz, settled::timestamptz from (values
       ('2025-10-31T22:50Z', '2025-10-31T22:49Z'), ('2025-10-31T22:55Z', '2025-10-31T23:10Z'),
       ('2025-10-31T23:05Z', '2025-10-31T23:05Z')) made (due, settled)`,
    [page.id, incident],
  );
});

test('a month in the time zone of the page has its uptime, its notices, first updates and deadlines', async () => {
  const { data } = await ask(`monthReports(month: "2025-11", count: 2) { ${selection} }`);
  const [november, october] = data.page.monthReports;
  const id = String(component);
  const whole = { componentId: id, component: { id, name: '=API' }, name: '=API', groups: [] };
  expect(october).toEqual({
    month: '2025-10',
    timezone: 'Europe/Berlin',
    beginsAt: '2025-09-30T22:00:00.000Z',
    endsAt: '2025-10-31T23:00:00.000Z',
    incidentCount: 3,
    maintenanceCount: 0,
    medianFirstUpdateSeconds: 300,
    longestFirstUpdateSeconds: 420,
    // October has 745 hours there.
    components: [{ ...whole, uptime: 1 - 0.5 / 745, outageMinutes: 30 }],
    nextUpdateDeadlines: { made: 2, onTime: 1, late: 1, open: 0 },
    notices: [
      {
        noticeId: String(incident),
        notice: { id: String(incident), subject: 'Down' },
        type: 'UNPLANNED',
        subject: 'Down',
        link: expect.stringContaining('/notices/'),
        beganAt: '2025-10-31T22:30:00.000Z',
        endedAt: '2025-10-31T23:30:00.000Z',
        firstUpdateSeconds: 420,
      },
      expect.objectContaining({ subject: 'Slow', firstUpdateSeconds: 180 }),
      expect.objectContaining({ subject: 'Late', firstUpdateSeconds: null }),
    ],
  });
  expect(november).toMatchObject({
    month: '2025-11',
    incidentCount: 1,
    medianFirstUpdateSeconds: null,
    components: [{ uptime: 1 - 0.5 / 720, outageMinutes: 30 }],
    nextUpdateDeadlines: { made: 1, onTime: 1, late: 0, open: 0 },
  });
});

test('twelve months take two statements more, and the last is the present one unless it is given', async () => {
  const statements = await recordStatements(service.database, async () => {
    const { data } = await ask('monthReports(count: 12) { month components { uptime } }');
    const months = data.page.monthReports.map(({ month }: { month: string }) => month);
    expect(months).toHaveLength(12);
    expect(months[0]).toBe(
      new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit' }).format(),
    );
  });
  expect(statements).toHaveLength(3);
});

test('the same as CSV has a row for each figure, none of which is a formula', async () => {
  const { data } = await ask('monthReportsCsv(month: "2025-10")');
  expect(data.page.monthReportsCsv.split('\r\n')).toEqual([
    'month,figure,component_id,component,value',
    '2025-10,incidents,,,3',
    '2025-10,maintenances,,,0',
    '2025-10,median_first_update_seconds,,,300',
    '2025-10,longest_first_update_seconds,,,420',
    '2025-10,deadlines,,,2',
    '2025-10,deadlines_on_time,,,1',
    '2025-10,deadlines_late,,,1',
    `2025-10,uptime,${component},'=API,${1 - 0.5 / 745}`,
    `2025-10,outage_minutes,${component},'=API,30`,
    '',
  ]);
});

test.each([
  ['month: "2025-13"', '`month` must be a month, such as 2026-11.'],
  ['count: 0', '`count` of months must be from 1 to 12.'],
  ['count: 13', '`count` of months must be from 1 to 12.'],
])('monthReports(%s) is refused', async (args, message) => {
  const { errors } = await ask(`monthReports(${args}) { month }`);
  expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_REQUEST' } }]);
});

test('the reports of a response have 16 million characters in all', async () => {
  const large = await createPage(service);
  await service.database.query(
    `insert into component (created_at, updated_at, page_id, name, position)
     select now(), now(), $1, repeat('n', 255), i from generate_series(1, 1500) i`,
    [large.id],
  );
  const read = async (count: number) => {
    const aliases = Array.from({ length: count }, (_, index) => `a${index}: monthReports(count: 12) { month }`);
    return (await service.graphql(`{ page(id: "${large.id}") { ${aliases.join(' ')} } }`)).json;
  };
  expect((await read(2)).data.page.a1).toHaveLength(12);
  expect((await read(3)).errors).toMatchObject([
    {
      message: 'The reports are too long. Ask for fewer months, or for fewer pages at once.',
      extensions: { code: 'BAD_REQUEST' },
    },
  ]);
});

test('where the response has no room for one, none of those after it is read', async () => {
  const large = await createPage(service);
  await service.database.query(
    `insert into component (created_at, updated_at, page_id, name, position)
     select now(), now(), $1, repeat('n', 255), i from generate_series(1, 4500) i`,
    [large.id],
  );
  const aliases = Array.from({ length: 8 }, (_, index) => `a${index}: monthReports(count: 12) { month }`);
  const statements = await recordStatements(service.database, () =>
    service.graphql(`{ page(id: "${large.id}") { ${aliases.join(' ')} } }`),
  );
  expect(statements.filter(text => text.includes('as components'))).toHaveLength(1);
});
