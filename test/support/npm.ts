import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';

/** Returns `startNpm` for a test file, and the data directory of what it starts. What runs after a test is killed. */
export function useNpm() {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const dataDir = join(folder, 'data');
  let npm: ChildProcess | undefined;
  afterEach(() => {
    try {
      // Whatever npm has started and left behind.
      process.kill(-npm!.pid!, 'SIGKILL');
    } catch {}
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs `npm <args>` in a process group of its own, and waits until it prints `text`. */
  async function startNpm(
    args: string[],
    text: string,
    environment: Record<string, string> = {},
  ): Promise<ChildProcess> {
    const child = spawn('npm', [...args, '--ignore-scripts'], {
      env: {
        PATH: process.env.PATH!,
        HOME: folder,
        PORT: '0',
        DRAIN_SECONDS: '0',
        DATA_DIR: dataDir,
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
  return { dataDir, startNpm };
}
