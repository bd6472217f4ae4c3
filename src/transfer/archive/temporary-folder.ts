import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

const dayMs = 24 * 3_600_000;

/** Creates a folder that this user alone can read. Its name says which process it is of. */
export const createTemporaryFolder = (purpose: 'upload' | 'move'): Promise<string> =>
  mkdtemp(join(tmpdir(), `all-clear-${purpose}-${hostname()}-${process.pid}-`));

/** Removes the folders of processes that were killed: archives in them have what is in the database. */
export async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, rest] = /^all-clear-(?:upload|move)-(.+)$/.exec(name) ?? [];
    if (rest === undefined) continue;
    const folder = join(tmpdir(), name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (isAbandoned(rest, mtimeMs)) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** In a container each process has the id of the one before. Of processes on other hosts the age alone is known. */
function isAbandoned(name: string, mtimeMs: number): boolean {
  const [, host, pid] = /^(.+)-(\d+)-\w+$/.exec(name) ?? [];
  if (host !== hostname()) return mtimeMs < Date.now() - dayMs;
  if (Number(pid) === process.pid) return mtimeMs < Date.now() - process.uptime() * 1_000;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
