import { exportAuditLog } from '../audit/audit-log.service.js';
import { CommandError } from '../core/errors.js';
import { parseTimestamp } from '../core/timestamp.js';
import type { Command } from './command.js';
import { parseOptions } from './options.js';
import { usages } from './usage.js';

/** Prints a part of the log; the rest is a command of its own, so that no part takes much memory. */
export function parseAuditCommand(args: string[]): Command {
  const { options, words } = parseOptions(args, ['page', 'since', 'after'], usages['audit-log']);
  const { page, since, after = '0' } = options;
  const sinceTime = since === undefined ? null : parseTimestamp(since);
  if (words.length || (since !== undefined && !sinceTime) || !/^\d{1,15}$/.test(after))
    throw new CommandError(usages['audit-log']);
  return {
    createsDatabase: false,
    async run({ database }) {
      const { text, last } = await exportAuditLog(database, { pageId: page, since: sinceTime, after: Number(after) });
      if (last === null) return text;
      const options = Object.entries({ page, since }).flatMap(([name, value]) => (value ? [`--${name}`, value] : []));
      return { text, next: ['audit-log', ...options, '--after', String(last)] };
    },
  };
}
