import { expect, test } from '@jest/globals';
import { describePage } from '../../../support/imported-pages.js';
import { createSqlite, kenerStatements, openStatusStatements } from '../../../support/other-databases.js';
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
    'component secret is not shown to visitors',
    'notice 4 has the unknown state "LIMBO"',
    'recurrence 2 repeats by FREQ=WEEKLY;BYDAY=SU: schedule it anew here',
    'subscriber 2 has not confirmed the subscription',
    'subscriber 3 has the channel webhook, which cannot be moved',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    'Meridian, UTC',
    'Core',
    'Core / API',
    'Web',
    'Weekly: SCHEDULED - - [2100-01-01T00:00 2100-01-01T01:00] Web DEGRADED',
    '  SCHEDULED 2026-03-03T09:00 Each week',
    'Move: COMPLETE 2026-07-01T08:00 2026-07-01T10:00 [2026-07-01T08:00 2026-07-01T10:00] API DEGRADED',
    '  SCHEDULED 2026-03-03T09:00 We move',
    'Slow: RECOVERING 2026-03-02T10:00 - Web DEGRADED',
    'Down: RESOLVED 2026-03-01T10:00 2026-03-01T11:00 API MAJOR_OUTAGE',
    '  INVESTIGATING 2026-03-01T10:00 We are **looking**',
    '  RESOLVED 2026-03-01T11:00 Fixed',
    'ada@example.com',
    'cy@example.com Web',
  ]);
  expect(toCounts(await report(path, ...options, '--page', first.pageId!))).toEqual({
    component: [0, 0, 3, 1],
    notice: [0, 0, 4, 1],
    recurrence: [0, 0, 0, 1],
    update: [0, 0, 4, 0],
    subscriber: [0, 0, 2, 2],
  });
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
