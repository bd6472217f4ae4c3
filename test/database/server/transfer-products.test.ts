import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { type Database, openDatabase } from '../../../src/db/database.js';
import type { EmbeddedServer } from '../../../src/db/embedded/server.js';
import { entities } from '../../../src/entities.js';
import { cachetAnswers } from '../../support/cachet-answers.js';
import { startEmbeddedServer } from '../../support/embedded-server.js';
import { createPage } from '../../support/factories.js';
import { describePage } from '../../support/imported-pages.js';
import { peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { removeSavedAnswers, toCounts } from '../../support/saved-answers.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { createSqlite, openStatusStatements } from '../../support/source-databases.js';
import { createStatuspageAnswers } from '../../support/statuspage-answers.js';
import { lastLine, sendFiles, toUpload, type Upload } from '../../support/transfers.js';
import { createUptimeKuma } from '../../support/uptime-kuma.js';

/** Imports by the console into the embedded database, whatever database the other tests have. */
let [server, database, service]: [EmbeddedServer?, Database?, TestService?] = [];
let owner: SignedInPerson;
const settings = { publicUrl: peopleOrigin };
beforeAll(async () => {
  server = await startEmbeddedServer();
  database = await openDatabase({
    settings: createTestSettings(settings),
    entities,
    log: createLogger('silent'),
    server,
  });
  service = await startTestService(settings, { database });
  owner = await signIn(service);
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await server?.close();
});
removeSavedAnswers();

/** Tries an import, which writes nothing, then imports twice. Returns the report of each. */
async function importTwice(query: Record<string, string>, files: Upload) {
  const send = async (more: Record<string, string>) =>
    lastLine(await sendFiles(service!, owner, { ...query, ...more }, files)).result;
  const tried = await send({});
  const first = await send({ dryRun: 'false' });
  const again = await send({ dryRun: 'false', page: first.pageId });
  return [tried, first, again].map(report => ({ pageId: report.pageId, counts: toCounts(report) }));
}

const countSent = () => database!.query('select 1 from publication union all select 1 from delivery');

test('a page of Statuspage moves in', async () => {
  const answers = toUpload(createStatuspageAnswers({ components: 4, incidents: 20, subscribers: 600 }));
  const [tried, first, again] = await importTwice({ from: 'statuspage' }, answers);
  expect(first!.counts).toEqual(tried!.counts);
  expect(first!.counts).toMatchObject({ notice: [20, 0, 0, 0], subscriber: [600, 0, 0, 0] });
  expect(again!.counts).toMatchObject({ notice: [0, 0, 20, 0], subscriber: [0, 0, 600, 0] });
  expect(await countSent()).toEqual([]);
});

test('a page of Cachet is added to one that is here', async () => {
  const { id } = await createPage(service!);
  const query = { from: 'cachet', page: id, timeZone: 'Europe/Berlin' };
  const [tried, first, again] = await importTwice(query, toUpload(cachetAnswers));
  expect(first!.counts).toEqual(tried!.counts);
  expect(first!.counts).toMatchObject({ component: [3, 0, 0, 0], subscriber: [2, 0, 0, 1] });
  expect(again!.counts).toMatchObject({ component: [0, 0, 3, 0], subscriber: [0, 0, 2, 1] });
  expect(await describePage(service!, id)).toContain('Slow: RESOLVED 2026-07-01T08:00 2026-07-01T10:00 API DEGRADED');
  expect(await countSent()).toEqual([]);
});

test('a view in place of a table of a database is not read, however long it takes', async () => {
  const view = 'with recursive r (id) as (select 1 union all select id + 1 from r) select id from r';
  const path = createSqlite('x.db', `create view page as ${view}`);
  const { error } = lastLine(await sendFiles(service!, owner, { from: 'openstatus' }, { 'x.db': readFileSync(path) }));
  expect(error.message).toContain('is no database of OpenStatus: it has no table page');
});

test('reads no virtual tables and no virtual generated columns of a SQLite database', async () => {
  const computed = `alter table page add column bad text generated always as (zeroblob(900000000)) virtual`;
  const path = createSqlite('x.db', `${openStatusStatements}; ${computed}`);
  const request = { from: 'openstatus', sourcePage: 'meridian' };
  const { result } = lastLine(await sendFiles(service!, owner, request, { 'x.db': readFileSync(path) }));
  expect(toCounts(result)).toMatchObject({ component: [3, 0, 0, 0] });
  const virtual = createSqlite('y.db', 'create virtual table page using fts5(id, slug)');
  const { error } = lastLine(
    await sendFiles(service!, owner, { from: 'openstatus' }, { 'y.db': readFileSync(virtual) }),
  );
  expect(error.message).toContain('is no database of OpenStatus: it has no table page');
});

test('a page of Uptime Kuma moves in from its database', async () => {
  const files = { 'kuma.db': readFileSync(createUptimeKuma()) };
  const [tried, first, again] = await importTwice({ from: 'uptime-kuma', sourcePage: 'main' }, files);
  expect(first!.counts).toEqual(tried!.counts);
  expect(first!.counts).toMatchObject({ component: [3, 0, 0, 0], notice: [3, 0, 0, 1] });
  expect(again!.counts).toMatchObject({ component: [0, 0, 3, 0], notice: [0, 0, 3, 1] });
  const [page] = await database!.query('select name from page where id = $1', [first!.pageId]);
  expect(page).toEqual({ name: 'Meridian' });
  const { error } = lastLine(await sendFiles(service!, owner, { from: 'uptime-kuma' }, files));
  expect(error.message).toMatch(/main, other/);
  expect(await countSent()).toEqual([]);
});

test('a text that takes more memory at once than V8 can refuse is refused, and the service goes on', async () => {
  const { id } = await createPage(service!);
  const update = { id: '1', messageHtml: '<b>'.repeat(20_000_000), status: 'RESOLVED', createdAt: '2026-01-01' };
  const incident = { id: '1', name: 'Slow', status: 'RESOLVED', started: '2026-01-01', updates: [update] };
  const files = toUpload({ 'incidents.json': [incident] });
  const { error } = lastLine(await sendFiles(service!, owner, { from: 'instatus', page: id }, files));
  expect(error.message).toContain('MB to read');
  expect((await service!.get('/healthz')).status).toBe(200);
});
