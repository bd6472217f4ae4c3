import { expect, test } from '@jest/globals';
import { buildMonthReport, listMonths, type ReportSource } from '../../../../src/status-page/reports/month-report.js';
import { readMonthReports } from '../../../../src/status-page/reports/load-reports.js';

const source = (zone: string, parts: Partial<ReportSource> = {}): ReportSource => ({
  page: { zone },
  components: [{ id: 1, parentId: null, name: 'API', createdAt: '2020-01-01T00:00:00.000Z' }],
  notices: [],
  begun: [],
  deadlines: [],
  now: new Date('2027-01-01T00:00:00Z'),
  ...parts,
});
const begun = (beganAt: string, endedAt: string | null, firstUpdateAt = beganAt, wasLive = true) => ({
  id: 7,
  type: 'unplanned' as const,
  subject: 'Down',
  link: 'https://x.example/',
  beganAt,
  endedAt,
  firstUpdateAt,
  wasLive,
});
const outage = (beganAt: string, endedAt: string | null) => ({
  id: 7,
  type: 'unplanned' as const,
  state: null,
  beganAt,
  endedAt,
  componentIds: [1],
  impacts: { 1: 'major-outage' as const },
});

test.each([
  // Daylight saving begins, ends, and begins in the southern hemisphere; a zone far from UTC; a day without midnight.
  ['Europe/Berlin', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z', 743],
  ['Europe/Berlin', '2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z', 745],
  ['America/New_York', '2026-11', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z', 721],
  ['Australia/Sydney', '2026-10', '2026-09-30T14:00:00.000Z', '2026-10-31T13:00:00.000Z', 743],
  ['Pacific/Kiritimati', '2026-12', '2026-11-30T10:00:00.000Z', '2026-12-31T10:00:00.000Z', 744],
  ['Africa/Cairo', '2026-04', '2026-03-31T22:00:00.000Z', '2026-04-30T21:00:00.000Z', 719],
])(
  'a month of %s %s lasts from %s to %s, and an hour of outage counts against %i hours',
  (zone, month, from, to, hours) => {
    const end = new Date(Date.parse(from) + 3_600_000).toISOString();
    const begin = new Date(Date.parse(from) - 7_200_000).toISOString();
    const report = buildMonthReport(source(zone, { notices: [outage(begin, end)] }), month);
    expect([report.beginsAt.toISOString(), report.endsAt.toISOString()]).toEqual([from, to]);
    expect(report.components).toEqual([
      { componentId: 1, name: 'API', groups: [], uptime: 1 - 1 / hours, outageMinutes: 60 },
    ]);
  },
);

test('what happens at the last and the first moment of a month belongs to one month each', () => {
  const last = '2026-10-31T22:59:59.999Z';
  const first = '2026-10-31T23:00:00.000Z';
  const deadlines = [last, first].map(dueAt => ({ noticeId: 7, dueAt, settledAt: dueAt }));
  const parts = { begun: [begun(first, null), begun(last, last)], deadlines };
  for (const month of ['2026-10', '2026-11']) {
    const report = buildMonthReport(source('Europe/Berlin', parts), month);
    expect(report).toMatchObject({ incidentCount: 1, nextUpdateDeadlines: { made: 1, onTime: 1, late: 0, open: 0 } });
    expect(report.notices[0]!.beganAt.toISOString()).toBe(month === '2026-10' ? last : first);
  }
});

test('an incident that lasts over the end of a month is in both, and its first update counts in the first', () => {
  const parts = { begun: [begun('2026-10-31T10:00:00.000Z', null, '2026-11-02T10:00:00.000Z')] };
  const reports = ['2026-09', '2026-10', '2026-11'].map(month => buildMonthReport(source('UTC', parts), month));
  expect(reports.map(({ incidentCount }) => incidentCount)).toEqual([0, 1, 1]);
  expect(reports.map(({ medianFirstUpdateSeconds }) => medianFirstUpdateSeconds)).toEqual([null, 172_800, null]);
});

test('an incident that was over when it was entered is listed, and does not count in the time to the first update', () => {
  const entered = begun('2026-10-02T10:00:00.000Z', '2026-10-02T11:00:00.000Z', '2026-10-11T10:00:00.000Z', false);
  const live = begun('2026-10-20T10:00:00.000Z', '2026-10-20T11:00:00.000Z', '2026-10-20T10:05:00.000Z');
  const report = buildMonthReport(source('UTC', { begun: [live, entered] }), '2026-10');
  expect(report).toMatchObject({
    incidentCount: 2,
    medianFirstUpdateSeconds: 300,
    longestFirstUpdateSeconds: 300,
    notices: [{ firstUpdateSeconds: 300 }, { firstUpdateSeconds: null }],
  });
  expect(Object.keys(report.notices[0]!)).not.toContain('wasLive');
});

test('components are the worst first, and equal ones in the order of the tree', () => {
  const createdAt = '2020-01-01T00:00:00.000Z';
  const components = [
    { id: 1, parentId: null, name: 'Europe', createdAt },
    { id: 2, parentId: null, name: 'Asia', createdAt },
    { id: 3, parentId: 2, name: 'API', createdAt },
    { id: 4, parentId: 1, name: 'Web', createdAt },
    { id: 5, parentId: 1, name: 'API', createdAt },
    { id: 6, parentId: 2, name: 'Jobs', createdAt },
  ];
  const down = (componentId: number, hours: number) => ({
    ...outage('2026-10-05T00:00:00.000Z', `2026-10-05T0${hours}:00:00.000Z`),
    id: componentId,
    componentIds: [componentId],
    impacts: { [componentId]: 'major-outage' as const },
  });
  const report = buildMonthReport(source('UTC', { components, notices: [down(3, 1), down(6, 2)] }), '2026-10');
  expect(report.components.map(({ groups, name }) => [...groups, name].join(' › '))).toEqual([
    'Asia › Jobs',
    'Asia › API',
    'Europe › Web',
    'Europe › API',
  ]);
});

test('an incident that is open is not in a month to come', () => {
  const parts = { begun: [begun('2026-10-31T10:00:00.000Z', null)], now: new Date('2026-11-20T00:00:00Z') };
  const reports = ['2026-11', '2026-12'].map(month => buildMonthReport(source('UTC', parts), month));
  expect(reports.map(({ incidentCount, notices }) => [incidentCount, notices.length])).toEqual([
    [1, 1],
    [0, 0],
  ]);
});

test('an outage after a month, and one that is open, leave the months before them as they were', () => {
  const notices = [outage('2026-11-10T00:00:00.000Z', null)];
  const [october, november, december] = ['2026-10', '2026-11', '2026-12'].map(
    month => buildMonthReport(source('UTC', { notices, now: new Date('2026-11-20T00:00:00Z') }), month).components[0]!,
  );
  expect(october).toMatchObject({ uptime: 1, outageMinutes: 0 });
  expect(november).toMatchObject({ uptime: 1 - 10 / 19, outageMinutes: 14_400 });
  expect(december).toMatchObject({ uptime: null, outageMinutes: 0 });
});

test('a group, and a component of less than seven days, have no uptime', () => {
  const components = [
    { id: 1, parentId: null, name: 'Group', createdAt: '2020-01-01T00:00:00.000Z' },
    { id: 2, parentId: 1, name: 'New', createdAt: '2026-10-26T00:00:00.000Z' },
  ];
  const report = buildMonthReport(source('UTC', { components }), '2026-10');
  expect(report.components).toEqual([
    { componentId: 2, name: 'New', groups: ['Group'], uptime: null, outageMinutes: 0 },
  ]);
});

test('months are listed backwards over the new year', () => {
  expect(listMonths('2026-02', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
});

test('others are answered between the months of a report', async () => {
  const empty = { readAt: '2027-01-01T00:00:00.000Z', components: [], begun: [], deadlines: [] };
  const bodies = ['UTC', JSON.stringify({ ...empty, history: { notices: [], periods: [], upstream: [] } })];
  let turns = 0;
  const count = () => {
    turns += 1;
    if (bodies.length || turns < 100) setImmediate(count);
  };
  setImmediate(count);
  const read = (async () => ({ body: bodies.shift()! })) as never;
  const reports = await readMonthReports(read, 'a1b2c3d4', { month: '2026-12', count: 12 });
  expect(reports).toHaveLength(12);
  expect(turns).toBeGreaterThanOrEqual(12);
});
