import type { Database } from '../db/connection.js';
import { CommandRefused } from '../core/errors.js';
import { belief, createToken, listTokens, revokeToken, type Scope } from '../auth/token.service.js';

const usage = `usage: npm run token -- create [--scope read|write] [label]
       npm run token -- list
       npm run token -- revoke <id>
`;

/** What `npm run token` does, wherever the database is open. Returns what is printed; throws CommandRefused. */
export async function runTokenCommand(database: Database, [verb, ...words]: string[]): Promise<string> {
  if (verb === 'create') return create(database, words);
  if (verb === 'list' && !words.length) return list(database);
  if (verb === 'revoke' && words.length === 1 && /^\d{1,9}$/.test(words[0]!)) return revoke(database, Number(words[0]));
  throw new CommandRefused(usage);
}

async function create(database: Database, words: string[]): Promise<string> {
  // Without `--` npm takes `--scope read` for itself, and the token would be one with all rights.
  if (process.env.npm_config_scope) throw new CommandRefused(usage);
  const at = words.indexOf('--scope');
  const scope = at < 0 ? 'write' : words.splice(at, 2)[1];
  const label = words.join(' ').slice(0, 255) || 'token';
  if ((scope !== 'read' && scope !== 'write') || label.startsWith('--')) throw new CommandRefused(usage);
  const token = await createToken(database, label, scope as Scope);
  return `${token}\nThis is the token "${label}" (${scope}). It is shown this once.\n`;
}

async function list(database: Database): Promise<string> {
  const tokens = await listTokens(database);
  if (!tokens.length) return 'There are no tokens.\n';
  return tokens
    .map(
      ({ id, label, scope, createdAt, revokedAt }) =>
        `${id}\t${scope}\t${new Date(createdAt).toISOString()}\t${revokedAt ? `revoked ${new Date(revokedAt).toISOString()}` : 'good'}\t${label}\n`,
    )
    .join('');
}

/** Ends when no process believes in the token any more. */
async function revoke(database: Database, id: number): Promise<string> {
  if (!(await revokeToken(database, id))) throw new CommandRefused(`There is no good token ${id}.\n`);
  if (!database.embedded) await new Promise(done => setTimeout(done, belief));
  return `The token ${id} is revoked, everywhere.\n`;
}
