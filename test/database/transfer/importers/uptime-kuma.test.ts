import { expect, test } from '@jest/globals';
import { describePage } from '../../../support/imported-pages.js';
import { useService } from '../../../support/service.js';
import { createUptimeKuma } from '../../../support/uptime-kuma.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';

const service = useService();
const { run, report } = createImport(service);
removeSavedAnswers();

test('allclear import --from uptime-kuma moves a status page, twice without doubling it', async () => {
  const path = createUptimeKuma();
  const options = ['--from', 'uptime-kuma', '--source-page', 'main', '--yes'];
  const first = await report(path, ...options);
  expect(first.leftOut.map(({ sourceId, reason }) => `${sourceId} ${reason}`)).toEqual([
    '2 has the strategy recurring-weekday, and no single window',
    '4 has the unknown time zone "Mars/Olympus"',
  ]);
  expect(await describePage(service, first.pageId!)).toEqual([
    ...['Meridian, UTC', 'Core', 'Core / API', 'Core / Web'],
    'Move: COMPLETE 2026-07-01T08:00 2026-07-01T10:00 [2026-07-01T08:00 2026-07-01T10:00] API DEGRADED',
    '  SCHEDULED 2026-07-01T08:00 We move',
    'Hello: null 2026-03-02T10:00 2026-03-02T10:00 ',
    '  null 2026-03-02T10:00 News',
    'Down: RESOLVED 2026-03-01T10:00 2026-03-01T11:00 ',
    '  INVESTIGATING 2026-03-01T10:00 **Down** for all',
  ]);
  expect(toCounts(await report(path, ...options, '--page', first.pageId!))).toEqual({
    ...{ component: [0, 0, 3, 0], notice: [0, 0, 3, 2], update: [0, 0, 3, 0], subscriber: [0, 0, 0, 0] },
  });
});

test('asks for what the database does not say', async () => {
  const path = createUptimeKuma('insert into maintenance_status_page values (3, 3, 1);');
  expect((await run(path, '--from', 'uptime-kuma')).error).toBe('Choose a page by --source-page: main, other.\n');
  const options = ['--from', 'uptime-kuma', '--source-page', 'main'];
  expect((await run(path, ...options)).error).toContain('say their zone, such as --time-zone Europe/Berlin');
  expect((await run(path, ...options, '--time-zone', 'America/New_York')).code).toBe(0);
  expect((await run(saveAnswers({ 'x.db': 'no' }), ...options)).error).toContain('is no database of Uptime Kuma');
});
