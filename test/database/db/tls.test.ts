import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { type Database, openDatabase } from '../../../src/db/database.js';
import type { Listening } from '../../../src/db/listen.js';
import { migrate } from '../../../src/db/migrate.js';
import { entities } from '../../../src/entities.js';
import { describeStartupError } from '../../../src/server/startup-errors.js';
import { createTestSettings } from '../../support/settings.js';
import { canServeTls, startTlsServer, type TlsServer } from '../../support/tls-server.js';

const onPostgres = process.env.TEST_DATABASE_URL && canServeTls ? describe : describe.skip;

let server: TlsServer;
const toSettings = (query: string, { host = '127.0.0.1', pgSslMode = '' } = {}) =>
  createTestSettings({
    databaseUrl: `postgres://all_clear@${host}:${server.port}/postgres${query && `?${query}`}`,
    pgSslMode: pgSslMode as never,
  });

/** Opens the database, and closes it after `work`. Returns the result, or what a start prints. */
async function connect<Result>(
  query: string,
  options: { host?: string; pgSslMode?: string },
  work: (database: Database) => Promise<Result>,
): Promise<Result | string> {
  const settings = toSettings(query, options);
  let database: Database;
  try {
    database = await openDatabase({ settings, entities, log: createLogger('silent') });
  } catch (error) {
    return describeStartupError(error, settings) ?? String(error);
  }
  return work(database).finally(() => database.close());
}

const readEncryption = async (database: Database) =>
  (await database.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()'))[0]!.ssl;

const isEncrypted = (query: string, options: { host?: string; pgSslMode?: string } = {}) =>
  connect(query, options, readEncryption);

onPostgres('TLS to PostgreSQL', () => {
  beforeAll(async () => {
    server = await startTlsServer();
  });
  afterAll(() => server.stop());

  describe('on a server that requires it', () => {
    beforeAll(() => server.configure({ ssl: true, rules: ['hostssl all all 127.0.0.1/32 trust'] }));

    test('all connections use it: of both pools, of LISTEN and of migrations', async () => {
      const connections = await connect('sslmode=require', {}, async database => {
        await migrate(database);
        await database.readAnonymous(`select 'null' as body`, []);
        let listening: Listening | undefined;
        const notification = new Promise<string>(done => {
          listening = database.listen('tls_test', done);
        });
        await listening!.query(`select pg_notify('tls_test', 'here')`);
        expect(await notification).toBe('here');
        const rows = await database.query(
          `select ssl, count(*) > 2 as several from pg_stat_ssl join pg_stat_activity using (pid)
           where backend_type = 'client backend' group by ssl`,
        );
        listening!.stop();
        return rows;
      });
      expect(connections).toEqual([{ ssl: true, several: true }]);
    });

    test.each([
      ['no sslmode', ''],
      ['allow', 'sslmode=allow'],
      ['prefer', 'sslmode=prefer'],
      ['require', 'sslmode=require'],
    ])('%s encrypts, and verifies nothing', async (_name, query) => {
      expect(await isEncrypted(query)).toBe(true);
    });

    test('disable is refused by the server, in its own words', async () => {
      expect(await isEncrypted('sslmode=disable')).toMatch(
        /^The database of DATABASE_URL rejects the connection: no pg_hba\.conf entry for .* no encryption\.$/,
      );
    });

    test('PGSSLMODE counts where the URL has no sslmode', async () => {
      expect(await isEncrypted('', { pgSslMode: 'disable' })).toMatch(/no encryption/);
      expect(await isEncrypted('sslmode=require', { pgSslMode: 'disable' })).toBe(true);
    });

    test.each(['require', 'verify-ca'])('%s with sslrootcert verifies who signed, not for which host', async mode => {
      expect(await isEncrypted(`sslmode=${mode}&sslrootcert=${server.authority}`)).toBe(true);
      expect(await isEncrypted(`sslmode=${mode}&sslrootcert=${server.otherAuthority}`)).toMatch(
        /^The certificate of the database of DATABASE_URL is refused: .*certificate.*\.$/,
      );
    });

    test('verify-full verifies the host, also where it is an address', async () => {
      const query = `sslmode=verify-full&sslrootcert=${server.authority}`;
      expect(await isEncrypted(query, { host: 'localhost' })).toBe(true);
      expect(await isEncrypted(query)).toMatch(
        /^The certificate of the database of DATABASE_URL is refused: .*127\.0\.0\.1 is not in the cert's list.*\.$/,
      );
      expect(await isEncrypted('sslmode=verify-full', { host: 'localhost' })).toMatch(/is refused: /);
      expect(await isEncrypted('sslmode=verify-full&sslrootcert=system', { host: 'localhost' })).toMatch(
        /is refused: /,
      );
    });

    test.each(['sslrootcert', 'sslcert', 'sslkey'])('a missing file of %s stops the start by name', async name => {
      expect(await isEncrypted(`sslmode=verify-full&${name}=/nonexistent.pem`)).toBe(
        `DATABASE_URL: ${name}: the file /nonexistent.pem cannot be read (ENOENT).`,
      );
    });
  });

  test('a client certificate is presented', async () => {
    server.configure({ ssl: true, rules: ['hostssl all all 127.0.0.1/32 cert'] });
    const files = `sslcert=${server.clientCertificate}&sslkey=${server.clientKey}`;
    expect(await isEncrypted(`sslmode=require&${files}`)).toBe(true);
    expect(await isEncrypted('sslmode=require')).toMatch(/rejects the connection: .*certificate/);
  });

  describe('on a server without it', () => {
    beforeAll(() => server.configure({ ssl: false, rules: ['host all all 127.0.0.1/32 trust'] }));

    test.each(['', 'sslmode=disable', 'sslmode=allow', 'sslmode=prefer'])('"%s" connects without', async query => {
      expect(await isEncrypted(query)).toBe(false);
    });

    test.each(['require', 'verify-ca', 'verify-full'])('%s stops the start', async mode => {
      expect(await isEncrypted(`sslmode=${mode}&sslrootcert=${server.authority}`)).toBe(
        'The database of DATABASE_URL does not offer TLS, which sslmode requires.',
      );
    });
  });
});
