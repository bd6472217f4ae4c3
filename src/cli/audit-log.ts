import { exportAuditLog } from '../audit/audit-log.service.js';
import { CommandError } from '../core/errors.js';
import { parseTimestamp } from '../core/timestamp.js';
import type { Command } from './command.js';
import { parseOptions } from './options.js';
import { usages } from './usage.js';

/** `npm run audit-log` */
export function parseAuditCommand(args: string[]): Command {
  const { options, words } = parseOptions(args, ['page', 'since'], usages['audit-log']);
  const since = options.since === undefined ? null : parseTimestamp(options.since);
  if (words.length || (options.since !== undefined && !since)) throw new CommandError(usages['audit-log']);
  return { createsDatabase: false, run: ({ database }) => exportAuditLog(database, { pageId: options.page, since }) };
}
