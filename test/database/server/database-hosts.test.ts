import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checks } from '../../../src/server/doctor/checks.js';
import { runChecks } from '../../../src/server/doctor/doctor.js';
import { createDoctorContext } from '../../support/doctor.js';
import { hasPostgresPrograms, type PostgresServer, startPostgresServer } from '../../support/postgres-server.js';
import { useService } from '../../support/service.js';

const service = useService();

async function check(...servers: PostgresServer[]) {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const settings = { databaseUrl: `postgres://all_clear@${hosts}/postgres` };
  const context = createDoctorContext(settings, { database: Promise.resolve(service.database) });
  const [result] = await runChecks({ hosts: checks['database hosts']! }, context);
  return `${result!.outcome}: ${result!.found}`;
}

const onPostgres = process.env.TEST_DATABASE_URL && hasPostgresPrograms ? describe : describe.skip;

onPostgres('the check of the hosts of DATABASE_URL', () => {
  let one: PostgresServer;
  let two: PostgresServer;
  beforeAll(async () => {
    one = await startPostgresServer();
    two = await startPostgresServer();
  });
  afterAll(() => {
    one.stop();
    two.stop();
  });
  const at = ({ port }: PostgresServer) => `127.0.0.1:${port}`;

  test('fails where several servers accept writes', async () => {
    expect(await check(one)).toBe('skipped: DATABASE_URL does not name several hosts.');
    expect(await check(one, two)).toBe(
      `failed: Several servers of DATABASE_URL accept writes: ${at(one)}, ${at(two)}. What some processes write is ` +
        'missing where others read.',
    );
    const found = `Of the 2 hosts of DATABASE_URL one server accepts writes: ${at(one)}.`;
    expect(await check(one, one)).toBe(`ok: ${found}`);
    const signal = join(two.data, 'standby.signal');
    writeFileSync(signal, '');
    const { uid, gid } = statSync(two.data);
    chownSync(signal, uid, gid);
    two.restart();
    expect(await check(two, one)).toBe(`ok: ${found}`);
  });

  test('warns of one that cannot be reached', async () => {
    two.kill();
    expect(await check(one, two)).toBe(`warning: ${at(two)} of DATABASE_URL cannot be reached: ECONNREFUSED.`);
  });
});
