import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from '../../core/errors.js';
import type { Settings } from '../../core/config.js';
import { toProgramEnvironment } from '../server-connection.js';

/** Runs pg_dump or pg_restore on the configured database. Its arguments, which others can see, have no password. */
export async function runProgram(name: 'pg_dump' | 'pg_restore', args: string[], settings: Settings): Promise<void> {
  const child = spawn(name, args, {
    env: { ...process.env, ...toProgramEnvironment(settings) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text;
  });
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new CommandError(
      `${name} is not installed. Install the client programs of PostgreSQL, of the version of the server or a newer ` +
        'one (Debian: postgresql-client), or back up the server by its own means: docs/operations.md says how.\n',
    );
  });
  if (code !== 0) throw new CommandError(`${name} failed:\n${errors}`);
}
