import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { openDatabase } from '../../../src/db/database.js';
import { toRefusal } from '../../../src/db/database-errors.js';
import { entities } from '../../../src/entities.js';
import { describeStartupError } from '../../../src/server/startup-errors.js';
import { hasPostgresPrograms, startPostgresServer } from '../../support/postgres-server.js';
import { createTestSettings } from '../../support/settings.js';
import { startTransactionPooler } from '../../support/transaction-pooler.js';

const url = process.env.TEST_DATABASE_URL ?? '';
const onPostgres = url ? describe : describe.skip;

/** What a start on the database prints, and whether it is tried again where there are snapshots. Null: it succeeds. */
async function describeOpening(databaseUrl: string, databaseDirectUrl = ''): Promise<string | null> {
  const settings = createTestSettings({ databaseUrl, databaseDirectUrl });
  try {
    await (await openDatabase({ settings, entities, log: createLogger('silent') })).close();
    return null;
  } catch (error) {
    const isTemporary = toRefusal(error)?.code === 'UNAVAILABLE';
    return `${describeStartupError(error, settings) ?? String(error)}${isTemporary ? ' (for now)' : ''}`;
  }
}

onPostgres('a start', () => {
  let stop: () => Promise<void>;
  afterEach(() => stop());

  test('on a pooler in transaction mode ends with a sentence, unless another address has sessions', async () => {
    const pooler = await startTransactionPooler(url);
    stop = pooler.close;
    const sentence =
      ' leads to a pooler in transaction mode, which forgets the settings of a session, prepared statements and ' +
      'LISTEN. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or the pooler to session mode ' +
      '(PgBouncer: pool_mode = session).';
    expect(await describeOpening(pooler.url)).toBe(`DATABASE_URL${sentence}`);
    expect(await describeOpening(pooler.url, pooler.url)).toBe(`DATABASE_DIRECT_URL${sentence}`);
    expect(await describeOpening(pooler.url, url)).toBeNull();
  });

  (hasPostgresPrograms ? test : test.skip)('on a standby ends with a sentence', async () => {
    const server = await startPostgresServer();
    stop = async () => server.stop();
    expect(await describeOpening(server.url)).toBeNull();
    const { uid, gid } = statSync(server.data);
    writeFileSync(join(server.data, 'standby.signal'), '');
    chownSync(join(server.data, 'standby.signal'), uid, gid);
    server.restart();
    expect(await describeOpening(server.url)).toBe(
      'The database of DATABASE_URL is a standby, which accepts no writes. Use the address of the primary. (for now)',
    );
  });
});

test('a right that is missing is named, and is not that to create tables unless it is', () => {
  const settings = createTestSettings({ databaseUrl: 'postgres://db/name' });
  const describe = (message: string) =>
    describeStartupError(Object.assign(new Error(message), { code: '42501' }), settings);
  expect(describe('permission denied for table audit_change')).toBe(
    'The database of DATABASE_URL does not allow this user to do that: permission denied for table audit_change.',
  );
  expect(describe('permission denied for schema public')).toBe(
    'The database of DATABASE_URL does not allow this user to create tables.',
  );
});
