import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { openTestDatabase } from '../../support/database.js';
import { createPage } from '../../support/factories.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const canRun = process.env.TEST_DATABASE_URL && hasPgBouncer;

describe.each(['session', 'transaction'] as const)('PgBouncer in %s mode', mode => {
  if (!canRun) {
    test.skip('is not installed', () => {});
    return;
  }
  let direct: Awaited<ReturnType<typeof openTestDatabase>>;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let mails: MailServer;
  let service: TestService;
  let other: TestService;
  const dataDir = mkdtempSync(join(tmpdir(), 'all-clear-'));

  const start = async (overrides: object) => {
    const settings = createTestSettings({
      databaseUrl: bouncer.url,
      databaseDirectUrl: mode === 'transaction' ? direct.url! : '',
      smtpUrl: mails.url,
      mailFrom: 'status@meridian.example',
      dataDir,
      ...overrides,
    });
    const database = await openServiceDatabase(settings, direct.log);
    const started = await startTestService(settings, { database });
    const stop = async () => {
      await started.stop();
      await database.close();
    };
    return { ...started, stop };
  };
  beforeAll(async () => {
    direct = await openTestDatabase();
    mails = await startMailServer();
    // In session mode each connection of the two services has one to the server.
    bouncer = await startPgBouncer(direct.url!, mode, mode === 'session' ? 30 : 2);
    service = await start({ worker: true, automation: true });
    other = await start({});
  });
  afterAll(async () => {
    await service.stop();
    await other.stop();
    await bouncer.stop();
    await mails.stop();
    await direct.close();
    rmSync(dataDir, { recursive: true });
  });

  test('answers concurrent writes and reads of two processes', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian' });
    const anonymous = { token: null };
    const requests = [service, other].flatMap(each =>
      Array.from({ length: 10 }, (_, number) => [
        () => each.post(`${path}/components`, { name: `Component ${number}` }),
        () => each.post(`${path}/notices`, { subject: `Notice ${number}`, initial_comment: 'We look.' }),
        () => each.get(`${path}/notices`),
        () => each.graphql(`{ page(id: "${id}") { name components { nodes { name } } } }`),
        // A fifth one at a time is refused.
        ...(number < 4
          ? [() => each.graphql(`{ page(id: "${id}") { name notices { nodes { link } } } }`, {}, anonymous)]
          : []),
        () => each.get(`/status/${id}/`, anonymous),
      ]),
    );
    // Twice: a statement is prepared when it is seen for the second time.
    for (let round = 0; round < 2; round += 1) {
      const responses = await Promise.all(requests.flat().map(request => request()));
      const failed = responses.filter(({ status, json }) => status >= 300 || json?.errors);
      expect(failed.map(({ status, text }) => [status, text.slice(0, 200)])).toEqual([]);
    }
  });

  test('sends a publication to every subscriber', async () => {
    const { id, path } = await createPage(service, { name: 'Meridian' });
    await direct.query(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
       select $1, 'n' || n || '@meridian.example', 'interface', at, at, at
       from generate_series(1, 100) n, (select clock_timestamp() - interval '1 minute' as at) at`,
      [id],
    );
    const { status } = await other.post(`${path}/notices`, {
      subject: 'Payments fail',
      initial_comment: 'We look.',
      should_publish: true,
    });
    expect(status).toBe(201);
    await waitUntilEqual(async () => new Set(mails.mails.flatMap(({ to }) => to)).size, 100);
    expect(mails.mails).toHaveLength(100);
  });

  test('wakes the processes that listen', async () => {
    const heard: string[] = [];
    const listening = other.database.listen('page_changed', payload => heard.push(payload));
    await listening.query('select 1');
    const { id } = await createPage(service, { name: 'Meridian' });
    await waitUntilEqual(async () => heard.some(payload => payload.includes(id)), true);
    listening.stop();
  });

  test('ends a statement that takes longer than a request may', async () => {
    const read = service.database.readAnonymous('select pg_sleep(60)::text as body', []);
    await expect(read).rejects.toMatchObject({ code: '57014' });
  });
});
