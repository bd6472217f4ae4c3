import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, removeDatabase } from './database.ts';
import { startServer } from './servers.ts';

/**
 * Prints the resident memory of the service: the peak of a first start and of a later one, after a minute of writes and
 * lists, and at rest before and after it. Linux only.
 */
const restSeconds = Number(process.env.MEMORY_REST_SECONDS ?? 240);
const loadSeconds = Number(process.env.MEMORY_LOAD_SECONDS ?? 60);
const idleSeconds = 90;
const port = 25477;
const token = randomBytes(24).toString('base64url');
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

/** VmRSS is now, VmHWM the highest so far. */
function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): string {
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return `${Math.round(Number(kilobytes) / 1024)} MB`;
}

async function post(path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { response: { id: string } }).response;
}

async function load(): Promise<void> {
  const { id } = await post('/pages', { name: 'Loaded' });
  const until = performance.now() + loadSeconds * 1000;
  while (performance.now() < until) {
    await post(`/pages/${id}/notices`, { subject: 'Slow', initial_comment: 'We look into it.', state: 'resolved' });
    const list = await fetch(`http://127.0.0.1:${port}/v1/pages/${id}/notices`, { headers });
    await list.text();
  }
}

async function measureMemory(name: string, settings: Record<string, string>): Promise<void> {
  const start = () =>
    startServer('dist/cli.js start', port, { BOOTSTRAP_TOKEN: token, LOG_LEVEL: 'silent', ...settings });
  const report = (what: string, value: string) =>
    process.stdout.write(`${name.padEnd(12)} ${what.padEnd(24)} ${value}\n`);
  let service = await start();
  const stop = async () => {
    service.kill();
    if (service.exitCode === null) await once(service, 'exit');
  };
  try {
    await post('/pages', { name: 'First' });
    report('first start, peak', readMemory(service.pid!, 'VmHWM'));
    await stop();
    service = await start();
    await post('/pages', { name: 'Second' });
    report('later start, peak', readMemory(service.pid!, 'VmHWM'));
    await sleep(restSeconds * 1000);
    report(`at rest for ${restSeconds} s`, readMemory(service.pid!, 'VmRSS'));
    await load();
    report(`${loadSeconds} s of load, peak`, readMemory(service.pid!, 'VmHWM'));
    await sleep(idleSeconds * 1000);
    report(`${idleSeconds} s later`, readMemory(service.pid!, 'VmRSS'));
  } finally {
    await stop();
  }
}

const dataDir = () => mkdtempSync(join(tmpdir(), 'all-clear-bench-'));
await measureMemory('embedded', { DATA_DIR: dataDir() });
const databaseUrl = process.env.MEMORY_DATABASE_URL ?? (await createDatabase());
try {
  await measureMemory('PostgreSQL', { DATABASE_URL: databaseUrl, DATA_DIR: dataDir() });
} finally {
  if (!process.env.MEMORY_DATABASE_URL) removeDatabase();
}
