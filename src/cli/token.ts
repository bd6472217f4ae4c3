import type { Database } from '../db/connection.js';
import { CommandError } from '../core/errors.js';
import { tokenCacheTtlMs, createToken, listTokens, revokeToken, type Scope } from '../auth/token.service.js';

const usage = `usage: npm run token -- create [--scope read|write] [label]
       npm run token -- list
       npm run token -- revoke <id>
`;

/** Runs `npm run token` in the process that has the database open. */
export async function runTokenCommand(database: Database, [action, ...args]: string[]): Promise<string> {
  if (action === 'create') return create(database, args);
  if (action === 'list' && !args.length) return list(database);
  if (action === 'revoke' && args.length === 1 && /^\d{1,9}$/.test(args[0]!)) return revoke(database, Number(args[0]));
  throw new CommandError(usage);
}

async function create(database: Database, args: string[]): Promise<string> {
  // Without `--` npm takes `--scope read` as its own option, and the token would get all rights.
  if (process.env.npm_config_scope) throw new CommandError(usage);
  const index = args.indexOf('--scope');
  const scope = index < 0 ? 'write' : args.splice(index, 2)[1];
  const label = args.join(' ').slice(0, 255) || 'token';
  if ((scope !== 'read' && scope !== 'write') || label.startsWith('--')) throw new CommandError(usage);
  const token = await createToken(database, label, scope as Scope);
  return `${token}\nThis is the token "${label}" (${scope}). It is shown only once.\n`;
}

async function list(database: Database): Promise<string> {
  const tokens = await listTokens(database);
  if (!tokens.length) return 'There are no tokens.\n';
  return tokens
    .map(({ id, label, scope, createdAt, revokedAt }) => {
      const state = revokedAt ? `revoked ${new Date(revokedAt).toISOString()}` : 'valid';
      return `${[id, scope, new Date(createdAt).toISOString(), state, label].join('\t')}\n`;
    })
    .join('');
}

/** Returns when the token has left the caches of all processes. */
async function revoke(database: Database, id: number): Promise<string> {
  if (!(await revokeToken(database, id))) throw new CommandError(`There is no valid token ${id}.\n`);
  if (!database.embedded) await new Promise(done => setTimeout(done, tokenCacheTtlMs));
  return `The token ${id} is revoked in all processes.\n`;
}
