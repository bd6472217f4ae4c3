import { expect, test } from '@jest/globals';
import { describePage } from '../../../support/imported-pages.js';
import { createSqlite, kenerStatements, openStatusStatements } from '../../../support/source-databases.js';
import { createImport, removeSavedAnswers, toCounts } from '../../../support/saved-answers.js';
import { useService } from '../../../support/service.js';

const service = useService();
const { run, report } = createImport(service);
removeSavedAnswers();

const leftOutOf = ({ leftOut }: Awaited<ReturnType<typeof report>>) =>
  leftOut.map(({ kind, sourceId, reason }) => `${kind} ${sourceId} ${reason}`);

test('allclear import --from kener moves a page of its database, twice without doubling it', async () => {
  const path = createSqlite('kener.sqlite.db', kenerStatements);
  const options = ['--from', 'kener', '--source-page', '/', '--yes'];
  const first = await report(path, ...options);
  expect(leftOutOf(first)).toEqual([
    'recurrence 4 repeats in another way: `rule` must be an RRULE whose FREQ is DAILY, WEEKLY, MONTHLY or YEARLY, ' +
      'not "FREQ=SECONDLY".',
    'notice 2 is a future event of a recurring maintenance, which creates it here',
    'component secret is not shown to visitors',
    'notice 4 has the unknown status "LIMBO"',
    'subscriber 2 has not confirmed the subscription',
    'subscriber 3 has the channel webhook, which cannot be moved',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    'Meridian, UTC',
    'Core',
    'Core / API',
    'Web',
    'Move: COMPLETE 2026-07-01T08:00 2026-07-01T10:00 [2026-07-01T08:00 2026-07-01T10:00] API DEGRADED',
    '  SCHEDULED 2026-03-03T09:00 We move',
    'Slow: RECOVERING 2026-03-02T10:00 - Web DEGRADED',
    'Down: RESOLVED 2026-03-01T10:00 2026-03-01T11:00 API MAJOR_OUTAGE',
    '  INVESTIGATING 2026-03-01T10:00 We are **looking**',
    '  RESOLVED 2026-03-01T11:00 Fixed',
    'ada@example.com',
    'cy@example.com Web',
  ]);
  const recurrences = 'select subject, rule, timezone, begins_at, ends_at from recurrence where page_id = $1';
  expect(await service.database.query(recurrences, [first.pageId])).toEqual([
    {
      subject: 'Weekly',
      rule: 'FREQ=WEEKLY;BYDAY=SU',
      timezone: 'UTC',
      begins_at: '2026-07-05 02:30:00+00',
      ends_at: '2026-07-05 03:30:00+00',
    },
  ]);
  expect(toCounts(await report(path, ...options, '--page', first.pageId!))).toEqual({
    component: [0, 0, 3, 1],
    notice: [0, 0, 3, 2],
    recurrence: [0, 0, 1, 1],
    update: [0, 0, 3, 0],
    subscriber: [0, 0, 2, 2],
  });
});

test('allclear import --from kener keeps a page that only some groups of visitors see out of public pages', async () => {
  const path = createSqlite('kener.sqlite.db', kenerStatements);
  const { code, error } = await run(path, '--from', 'kener', '--source-page', '/eu');
  expect([code, error]).toEqual([1, expect.stringContaining('At Kener the page is for some visitors only.')]);
});

test('allclear import --from openstatus moves a page of its database, twice without doubling it', async () => {
  const path = createSqlite('openstatus.db', openStatusStatements);
  const options = ['--from', 'openstatus', '--source-page', 'meridian', '--yes'];
  const first = await report(path, ...options);
  expect(leftOutOf(first)).toEqual([
    'notice 3 has the unknown status "limbo"',
    'subscriber 2 has not confirmed',
    'subscriber 3 has left the list: `unsubscribed_at` is "1769932900"',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    'Meridian, UTC',
    'Core',
    'Core / API',
    'Web',
    'Move: COMPLETE 2026-07-01T08:00 2026-07-01T10:00 [2026-07-01T08:00 2026-07-01T10:00] API DEGRADED',
    '  SCHEDULED 2026-03-02T10:00 We move',
    'Slow: RECOVERING 2026-03-02T10:00 - Web DEGRADED',
    '  RECOVERING 2026-03-02T10:00 Better',
    'Down: RESOLVED 2026-03-01T10:00 2026-03-01T11:00 API DEGRADED',
    '  INVESTIGATING 2026-03-01T10:00 We are **looking**',
    '  RESOLVED 2026-03-01T11:00 Fixed',
    'ada@example.com',
    'di@example.com Web',
  ]);
  expect(toCounts(await report(path, ...options, '--page', first.pageId!))).toEqual({
    component: [0, 0, 3, 0],
    notice: [0, 0, 3, 1],
    update: [0, 0, 4, 0],
    subscriber: [0, 0, 2, 2],
  });
});

test.each([
  ['kener', kenerStatements, 'Choose a page by --source-page: /, /eu.\n'],
  ['openstatus', openStatusStatements, 'Choose a page by --source-page: meridian, inside.\n'],
])('%s: one of several pages must be chosen', async (from, statements, error) => {
  expect(await run(createSqlite('x.db', statements), '--from', from)).toMatchObject({ code: 1, error });
});

test('a page with a password is not added to a public one', async () => {
  const { error } = await run(
    createSqlite('x.db', openStatusStatements),
    '--from',
    'openstatus',
    '--source-page',
    'inside',
  );
  expect(error).toContain('for some visitors only');
});
