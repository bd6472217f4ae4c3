import { mkdtempSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, failDatabase, removeDatabase, restartDatabase, seed } from './database.ts';
import { startServer } from './servers.ts';
import { concurrency } from './settings.ts';

/**
 * Whether visitors notice that the database is gone: it crashes under load, stays away for a minute, and comes back. Every answer has to be a 200, marked with
 * its age while it is away, and a write has to work within 5 seconds of its return. Fails when one of these does not hold.
 */
const seconds = Number(process.env.AWAY_SECONDS ?? 60);
const port = 25472;
const token = 'a-token-of-a-measurement-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });

interface Count {
  good: number;
  marked: number;
  wrong: Record<string, number>;
}

const url = await createDatabase();
const service = await startServer('dist/main.js', port, {
  DATABASE_URL: url,
  PUBLIC_URL: 'http://localhost:3000',
  DATA_DIR: folder,
  BOOTSTRAP_TOKEN: token,
  LOG_LEVEL: 'silent',
});
try {
  await seed(url, token);
  // The pages are on the disk soon after the start; those that somebody asked for are in memory.
  await sleep(15_000);
  let count: Count = { good: 0, marked: 0, wrong: {} };
  let stopped = false;
  const visitors = Array.from({ length: concurrency }, async (_, visitor) => {
    for (let turn = visitor; !stopped; turn++) {
      const page = (1 + (turn % 40)).toString(16).padStart(8, '0');
      const { status, age } = await visit(page, turn % 7 ? '/' : '/feed.atom');
      if (status === 200) count.good += 1;
      else count.wrong[status] = (count.wrong[status] ?? 0) + 1;
      if (age) count.marked += 1;
    }
  });
  const during = async (milliseconds: number) => {
    count = { good: 0, marked: 0, wrong: {} };
    await sleep(milliseconds);
    return structuredClone(count);
  };
  const before = await during(3_000);
  failDatabase();
  const falling = await during(4_000);
  const away = await during(seconds * 1000 - 4_000);
  restartDatabase();
  const back = performance.now();
  while ((await write()) !== 201) await sleep(50);
  const writing = performance.now() - back;
  await sleep(3_000);
  const after = await during(3_000);
  stopped = true;
  await Promise.all(visitors);
  const line = (name: string, { good, marked, wrong }: Count) =>
    `${name.padEnd(40)} ${good} good, ${marked} of them marked with their age; others: ${JSON.stringify(wrong)}\n`;
  process.stdout.write(
    line('before', before) +
      line('in the first 4 seconds without', falling) +
      line(`in the ${seconds - 4} seconds that followed`, away) +
      line('when it is back', after),
  );
  process.stdout.write(`a write works after ${(writing / 1000).toFixed(1)} s\n`);
  const holds =
    [before, falling, away, after].every(({ good, wrong }) => good > 0 && !Object.keys(wrong).length) &&
    away.marked === away.good &&
    !after.marked &&
    writing < 5_000;
  process.stdout.write(holds ? 'all of it holds\n' : 'IT DOES NOT HOLD\n');
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
  const answer = await fetch(`http://127.0.0.1:${port}/v1/pages/00000001/notices`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ subject: 'It is back' }),
  });
  return answer.status;
}
