import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { BinaryClient } from '../../src/db/binary-client.js';
import { EmbeddedServer } from '../../src/db/embedded/server.js';
import { PipelinedTransaction } from '../../src/db/pipelined-transaction.js';
import { StatementNames } from '../../src/db/statement-names.js';
import { certificate } from '../support/certificate.js';

const url = process.env.TEST_DATABASE_URL;
const onPostgres = url ? test : test.skip;
/** pg requests results in binary format by the extended protocol alone, which it uses where there are values. */
const binary = { binary: true, queryMode: 'extended' };
/** Each value as its type parser gets it. */
const types = { getTypeParser: () => (value: unknown) => value };

describe('a client with results in binary format', () => {
  const server = url
    ? null
    : new EmbeddedServer({ dataDir: 'memory://', template: process.env.TEST_DATABASE_TEMPLATE });
  let pool: pg.Pool;
  beforeAll(() => {
    const connection = server
      ? { idleTimeoutMillis: 0, ssl: false, stream: () => server.connect({ statementMs: 20_000 }) }
      : { connectionString: url };
    pool = new pg.Pool({ ...connection, max: 1, pipeline: true, Client: BinaryClient } as pg.PoolConfig);
  });
  afterAll(async () => {
    await pool.end();
    await server?.close();
  });
  const query = async (text: string, options: object = {}) =>
    (await pool.query({ text, ...options } as pg.QueryConfig)).rows;

  test('text is its bytes in UTF-8', async () => {
    const [row] = await query(`select 'Grüße 🟢' as word, '' as empty, null as nothing`, { ...binary, types });
    expect(row).toEqual({ word: Buffer.from('Grüße 🟢'), empty: Buffer.alloc(0), nothing: null });
  });

  test('numbers are their bytes, also above 127', async () => {
    const [row] = await query('select 200::integer as a, true as b', { ...binary, types });
    expect(row).toEqual({ a: Buffer.from([0, 0, 0, 200]), b: Buffer.from([1]) });
  });

  test('a result in text format after it is text', async () => {
    await query(`select 'one' as word`, { ...binary, types });
    expect(await query(`select 'two' as word, 200 as number`)).toEqual([{ word: 'two', number: 200 }]);
  });

  test('a result in text format after a failure is text', async () => {
    await expect(
      query('select 1 / (generate_series - 5) from generate_series(1, 9)', { ...binary, types }),
    ).rejects.toThrow('division by zero');
    expect(await query(`select 'two' as word`)).toEqual([{ word: 'two' }]);
  });

  test('statements of a transaction, whose columns are known, are text after it', async () => {
    const names = new StatementNames('write', 10);
    for (const _ of [1, 2, 3, 4]) {
      await query('select $1::integer as number', { ...binary, types, values: [300] });
      const transaction = new PipelinedTransaction(await pool.connect(), names);
      expect(await transaction.run('select $1::integer > 5 as is_more', [6])).toEqual([{ is_more: true }]);
      await transaction.commit();
    }
  });

  test('bytes stay the same while more results arrive', async () => {
    const client = await pool.connect();
    await expectLongResults(client);
    client.release();
  });

  // The embedded database has no socket.
  onPostgres('a connection with TLS has the same results', async () => {
    const address = new URL(url!);
    const listener = createServer(socket =>
      socket.once('data', () => {
        // Agrees to TLS, as PostgreSQL does.
        socket.write('S');
        const decrypted = new TLSSocket(socket, { isServer: true, ...certificate });
        const database = connect(Number(address.port), address.hostname);
        decrypted.pipe(database).pipe(decrypted);
      }),
    ).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const secure = new URL(address);
    secure.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const client = new BinaryClient({ connectionString: secure.href, ssl: { ca: certificate.cert } });
    await client.connect();
    await expectLongResults(client);
    await client.end();
    await new Promise(done => listener.close(done));
  });
});

async function expectLongResults(client: pg.ClientBase): Promise<void> {
  const lengths = [1, 70_000, 9, 300_000, 8_000, 1_200_000, 5];
  const results: pg.QueryResult[] = [];
  // Sent at once where the client allows it.
  await Promise.all(
    lengths.map(async (length, index) => {
      const text = `select repeat('${index}', ${length}) as long`;
      results[index] = await client.query({ text, ...binary, types } as pg.QueryConfig);
    }),
  );
  for (const [index, { rows }] of results.entries())
    expect(String(rows[0].long) === String(index).repeat(lengths[index]!)).toBe(true);
}
