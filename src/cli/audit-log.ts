import { type Command, InvalidArgumentError } from 'commander';
import { exportAuditLog } from '../people/audit/audit-log.service.js';
import { parseTimestamp } from '../core/timestamp.js';
import type { CommandEnvironment } from './command.js';

interface Options {
  page?: string;
  since?: Date;
  after: number;
}

/** Prints a part of the log; the rest is a command of its own, so that no part takes much memory. */
export function define(command: Command, { run }: CommandEnvironment): void {
  command
    .description('Prints the audit log as lines of JSON, oldest first.')
    .option('--page <id>', 'only what changed this page')
    .option('--since <time>', 'only from this time on, such as 2026-11-01T00:00:00Z', parseSince)
    .option('--after <id>', 'only what follows this entry', parseAfter, 0)
    .action(({ page, since, after }: Options) =>
      run({
        createsDatabase: false,
        run: async ({ database }) => {
          const { text, last } = await exportAuditLog(database, { pageId: page, since: since ?? null, after });
          if (last === null) return text;
          const options = Object.entries({ page, since: since?.toISOString() });
          const words = options.flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
          return { text, next: ['audit-log', ...words, '--after', String(last)] };
        },
      }),
    );
}

function parseSince(text: string): Date {
  const time = parseTimestamp(text);
  if (!time) throw new InvalidArgumentError('It must be a time in ISO 8601.');
  return time;
}

function parseAfter(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the id of an entry.');
  return Number(text);
}
