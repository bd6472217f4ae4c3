import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { createNotice, createPage } from '../../support/factories.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: string;
const lines: string[] = [];
const log = createLogger('info', { write: line => lines.push(line) });
const logged = () => lines.map(line => JSON.parse(line).msg).filter(message => /disk/.test(message));

beforeAll(async () => {
  service = await startTestService({}, { log });
  page = (await createPage(service)).path;
});
afterAll(() => service.stop());

/** Raises what PostgreSQL raises where a file cannot be extended. */
const fillDisk = `
  create function fail_for_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_disk before insert on notice for each row execute function fail_for_space();
  create function fail_for_space_of_tables() returns event_trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create event trigger full_disk_of_tables on ddl_command_start when tag in ('CREATE TABLE AS')
    execute function fail_for_space_of_tables()`;
const freeSpace =
  'drop event trigger full_disk_of_tables; drop trigger full_disk on notice; ' +
  'drop function fail_for_space; drop function fail_for_space_of_tables';

const readiness = async () => {
  const { status, text } = await service.get('/readyz', { token: null });
  return [status, text];
};

test('while the disk of the database is full, writes are refused with a sentence, and the service is not ready', async () => {
  await service.database.query(fillDisk);
  for (const _ of [1, 2, 3]) {
    const { status, json, headers } = await service.post(`${page}/notices`, { subject: 'Unwritten' });
    expect([status, json, headers.get('retry-after')]).toEqual([
      503,
      { error: 'unavailable', error_description: 'The disk of the database is full. Nothing was written.' },
      '30',
    ]);
  }
  expect((await service.get(page)).status).toBe(200);
  expect(await readiness()).toEqual([503, 'the disk of the database is full\n']);
  expect(logged()).toEqual(['the disk of the database is full: writes fail until there is space']);

  await service.database.query(freeSpace);
  // It looks for space every 2 seconds.
  for (const until = Date.now() + 30_000; (await readiness())[0] !== 200 && Date.now() < until; )
    await new Promise(done => setTimeout(done, 100));
  expect(await readiness()).toEqual([200, 'ready\n']);
  expect(logged()).toEqual([expect.anything(), 'the disk of the database has space again']);
  expect((await createNotice(service, page)).subject).toBe('Disk full');
});
