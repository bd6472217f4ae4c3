import type { Command } from 'commander';
import { restore, verifyRestored } from '../db/backup/restore.js';
import { CommandError } from '../core/errors.js';
import { openWithoutMigrating } from './backup.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Restores a backup of allclear backup into an empty DATA_DIR, or into the empty database of DATABASE_URL. The ' +
        'service must not run.',
    )
    .argument('<folder>', 'the backup', resolvePath)
    .option('--verify', 'read everything back, and compare counts and hashes with those of the backup')
    .action((backup: string, { verify = false }: { verify?: boolean }) =>
      run({
        createsDatabase: true,
        run: async () => {
          throw new CommandError('A process uses this folder. Stop it, and move its database away.\n');
        },
        runWithoutDatabase: async ({ settings }) => {
          const createdAt = await restore(settings, backup, openWithoutMigrating);
          const restored = `The backup of ${createdAt} is restored.\n`;
          if (!verify) return restored;
          const rows = await verifyRestored(settings, backup, openWithoutMigrating);
          return `${restored}All ${rows} rows are those of the backup.\n`;
        },
      }),
    );
}
