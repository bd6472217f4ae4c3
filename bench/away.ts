import { mkdtempSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, failDatabase, removeDatabase, restartDatabase, seed } from './database.ts';
import { startServer } from './servers.ts';
import { concurrency } from './settings.ts';

/**
 * Checks that visitors do not notice an outage of the database, which crashes under load, stays down for a minute and
 * restarts. Every response must be a 200, with an Age header during the outage, and a write must succeed within 5
 * seconds of the restart.
 */
const seconds = Number(process.env.AWAY_SECONDS ?? 60);
const port = 25472;
const token = 'a-token-of-a-measurement-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

interface Count {
  ok: number;
  withAge: number;
  failed: Record<string, number>;
}

const url = await createDatabase();
const service = await startServer('dist/cli.js start', port, {
  DATABASE_URL: url,
  PUBLIC_URL: 'http://localhost:3000',
  DATA_DIR: folder,
  BOOTSTRAP_TOKEN: token,
  LOG_LEVEL: 'silent',
});
try {
  await seed(url, token);
  // The pages are on disk soon after the start.
  await sleep(15_000);
  let count: Count = { ok: 0, withAge: 0, failed: {} };
  let isStopped = false;
  const visitors = Array.from({ length: concurrency }, async (_, visitor) => {
    for (let turn = visitor; !isStopped; turn++) {
      const page = (1 + (turn % 40)).toString(16).padStart(8, '0');
      const { status, age } = await visit(page, turn % 7 ? '/' : '/feed.atom');
      if (status === 200) count.ok += 1;
      else count.failed[status] = (count.failed[status] ?? 0) + 1;
      if (age) count.withAge += 1;
    }
  });
  const countFor = async (durationMs: number) => {
    count = { ok: 0, withAge: 0, failed: {} };
    await sleep(durationMs);
    return structuredClone(count);
  };
  const before = await countFor(3_000);
  failDatabase();
  const failing = await countFor(4_000);
  const away = await countFor(seconds * 1000 - 4_000);
  restartDatabase();
  const restartedAt = performance.now();
  while ((await write()) !== 201) await sleep(50);
  const writeDelayMs = performance.now() - restartedAt;
  await sleep(3_000);
  const after = await countFor(3_000);
  isStopped = true;
  await Promise.all(visitors);
  const line = (name: string, { ok, withAge, failed }: Count) =>
    `${name.padEnd(40)} ${ok} OK, ${withAge} of them with Age; failed: ${JSON.stringify(failed)}\n`;
  process.stdout.write(
    line('before', before) +
      line('first 4 seconds of the outage', failing) +
      line(`next ${seconds - 4} seconds`, away) +
      line('after the restart', after),
  );
  process.stdout.write(`a write succeeds after ${(writeDelayMs / 1000).toFixed(1)} s\n`);
  const holds =
    [before, failing, away, after].every(({ ok, failed }) => ok > 0 && !Object.keys(failed).length) &&
    away.withAge === away.ok &&
    !after.withAge &&
    writeDelayMs < 5_000;
  process.stdout.write(holds ? 'all checks hold\n' : 'A CHECK DOES NOT HOLD\n');
  process.exitCode = holds ? 0 : 1;
} finally {
  service.kill();
  removeDatabase();
}

function visit(page: string, path: string): Promise<{ status: string | number; age: string | undefined }> {
  return new Promise(resolve => {
    request({ port, path, agent, headers: { host: `${page}.localhost`, 'accept-encoding': 'br' } }, response => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode!, age: response.headers.age }));
    })
      .on('error', error => resolve({ status: error.message, age: undefined }))
      .end();
  });
}

async function write(): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/v1/pages/00000001/notices`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ subject: 'The database is back' }),
  });
  return response.status;
}
