import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './process.js';

const program = '/usr/sbin/pgbouncer';

/** Whether this machine has PgBouncer (Debian: pgbouncer). */
export const hasPgBouncer = spawnSync(program, ['--version']).status === 0;

interface PgBouncer {
  url: string;
  stop(): Promise<void>;
}

/** Starts PgBouncer before a server, with `size` connections to each database of it. */
export async function startPgBouncer(
  server: string,
  mode: 'session' | 'transaction',
  size: number,
): Promise<PgBouncer> {
  const { hostname, port: serverPort, username } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-pgbouncer-'));
  // PgBouncer does not run as root.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
`,
  );
  const bouncer = spawn(program, process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file], { stdio: 'pipe' });
  await waitForLine(bouncer, 'process up');
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async stop() {
      bouncer.kill('SIGKILL');
      await once(bouncer, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

function waitForLine(child: ChildProcess, text: string): Promise<void> {
  let output = '';
  return new Promise((done, fail) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', chunk => {
        output += chunk;
        if (output.includes(text)) done();
      });
    child.once('exit', () => fail(new Error(`PgBouncer has ended: ${output}`)));
  });
}
