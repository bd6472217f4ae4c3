import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sendToOwner } from '../../../src/db/data-directory-lock.js';

let folder: string;
let npm: ChildProcess | undefined;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
});
afterEach(() => {
  try {
    // Whatever npm has started and left behind.
    process.kill(-npm!.pid!, 'SIGKILL');
  } catch {}
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `npm <args>` in a process group of its own, and waits until it prints `text`. */
async function startNpm(args: string[], text: string, environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn('npm', [...args, '--ignore-scripts'], {
    env: {
      PATH: process.env.PATH!,
      HOME: folder,
      PORT: '0',
      DRAIN_SECONDS: '0',
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  npm = child;
  let output = '';
  await new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk;
        if (output.includes(text)) done();
      });
    child.once('exit', () => fail(new Error(`npm exited: ${output}`)));
  });
  return child;
}

describe('npm start', () => {
  const isRunning = async () => (await sendToOwner(join(folder, 'data'), '["token","list"]')) !== undefined;
  const start = () => startNpm(['start'], 'All Clear listens', {});

  test('ends with the service when npm alone gets SIGTERM', async () => {
    const child = await start();
    expect(await isRunning()).toBe(true);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect([code, await isRunning()]).toEqual([0, false]);
  });

  test('stops in order when the terminal and npm both pass on SIGINT', async () => {
    const child = await start();
    process.kill(-child.pid!, 'SIGINT');
    const [code] = await once(child, 'exit');
    expect([code, await isRunning()]).toEqual([0, false]);
  });
});

const databaseUrl = process.env.TEST_DATABASE_URL;
if (databaseUrl)
  test('npm run worker ends with the worker when npm alone gets SIGTERM', async () => {
    const child = await startNpm(['run', 'worker'], 'worker is running', { DATABASE_URL: databaseUrl });
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    // Nothing is left in the process group, which npm has left last.
    expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH');
  });
