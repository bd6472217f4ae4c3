import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Listen } from '../../../src/db/listen.js';
import { createPage } from '../../support/factories.js';
import { type PageServer, startPageServer } from '../../support/page-server.js';
import { useOwnService } from '../../support/service.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const service = useOwnService();
const hour = 3_600_000;
const subject = 'Over for days';
/** How far the clocks of the process and of the database are ahead. */
const ahead = { process: 0, database: 0 };
let server: PageServer;
let host: string;
const getPage = () => requestPage(server.url, host, '/index.md');

/** Tells the change feed the time of the database when its clock has been moved. */
const listen: Listen = (...listener) => {
  const { query, stop } = service.database.listen(...listener);
  return {
    stop,
    async query<Row>(...statement: Parameters<typeof query>) {
      const rows = await query<Row & { readAt?: string }>(...statement);
      const move = (time: string) => new Date(Date.parse(time) + ahead.database).toISOString();
      return rows.map(row => (row.readAt ? { ...row, readAt: move(row.readAt) } : row));
    },
  };
};

/** A page that shows a notice for another hour. */
beforeEach(async () => {
  Object.assign(ahead, { process: 0, database: 0 });
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead.process);
  const { id } = await createPage(service, { name: 'Quiet' });
  const [began_at, ended_at] = [7 * 24 - 1, 7 * 24 - 2].map(hours => new Date(now() - hours * hour).toISOString());
  const past = { subject, initial_comment: 'It was so.', state: 'resolved', began_at, ended_at };
  expect((await service.post(`/v1/pages/${id}/notices`, past)).status).toBe(201);
  host = `${id}.localhost`;
  server = await startPageServer({ database: { ...service.database, listen } });
  expect((await getPage()).text).toContain(subject);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.stop();
});

const isOver = () => waitForResponse(getPage, ({ status, text }) => status === 200 && !text.includes(subject));
const isShown = () => waitForResponse(getPage, ({ status, text }) => status === 200 && text.includes(subject));

test('a page changes when only time passes', async () => {
  Object.assign(ahead, { process: 3 * hour, database: 3 * hour });
  await isOver();
});

// The embedded database runs in the process and shares its clock.
const withSeparateClock = process.env.TEST_DATABASE_URL ? test : test.skip;
withSeparateClock('a page shows the time of the database again after a clock was set', async () => {
  Object.assign(ahead, { process: 3 * hour, database: 3 * hour });
  await isOver();
  ahead.database = 0;
  await isShown();
});
