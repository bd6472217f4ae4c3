import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The result codes of SQLite for a file that is locked, and for one that this user may not write. */
const busy = 5;
const notWritable = [8, 14];

/**
 * Locks a file with a lock of the operating system, which ends with the process, whatever happens to the file. Node
 * offers such a lock only through SQLite. Returns what unlocks it; null when the file is locked already.
 */
export function lockFile(path: string): (() => void) | null {
  createFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    // Nothing is written, so SQLite needs no journal beside the file.
    database.exec('pragma journal_mode = off; begin exclusive');
    return () => database?.close();
  } catch (error) {
    database?.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === busy) return null;
    throw notWritable.includes(errcode ?? 0)
      ? Object.assign(new Error(`${path} is not writable`), { code: 'EACCES' })
      : error;
  }
}

/** Fails with a code of the system, which SQLite would hide. A file that exists is not opened: that could unlock it. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
