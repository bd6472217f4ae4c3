import type { Database } from '../db/connection.js';
import { CommandError } from '../core/errors.js';
import { tokenCacheTtlMs, createToken, listTokens, revokeToken, scopes } from '../auth/token.service.js';
import type { Command } from './command.js';
import { usages } from './usage.js';

/** `npm run token` */
export function parseTokenCommand([action, ...args]: string[]): Command {
  if (action === 'create') return { createsDatabase: true, run: parseCreate(args) };
  if (action === 'list' && !args.length) return { createsDatabase: false, run: ({ database }) => list(database) };
  if (action === 'revoke' && args.length === 1)
    return { createsDatabase: false, run: ({ database }) => revoke(database, args[0]!) };
  throw new CommandError(usages.token);
}

function parseCreate(args: string[]): Command['run'] {
  // Without `--` npm takes `--scope read` as its own option, and the token would get all rights.
  if (process.env.npm_config_scope) throw new CommandError(usages.token);
  const index = args.indexOf('--scope');
  const scope = index < 0 ? 'write' : args[index + 1];
  const words = index < 0 ? args : args.toSpliced(index, 2);
  const label = words.join(' ').slice(0, 255) || 'token';
  if ((scope !== 'read' && scope !== 'write') || label.startsWith('--')) throw new CommandError(usages.token);
  return ({ database }) => create(database, label, scope);
}

async function create(database: Database, label: string, scope: keyof typeof scopes): Promise<string> {
  const token = await createToken(database, label, scopes[scope]);
  return `${token}\nThis is the token "${label}" (${scope}). It is shown only once.\n`;
}

async function list(database: Database): Promise<string> {
  const tokens = await listTokens(database);
  if (!tokens.length) return 'There are no tokens.\n';
  return tokens
    .map(({ id, label, role, pageIds, createdAt, revokedAt }) => {
      const state = revokedAt ? `revoked ${new Date(revokedAt).toISOString()}` : 'valid';
      return `${[id, role, pageIds?.join(',') ?? 'all pages', new Date(createdAt).toISOString(), state, label].join('\t')}\n`;
    })
    .join('');
}

/** Returns when the token has left the caches of all processes. */
async function revoke(database: Database, id: string): Promise<string> {
  if (!/^\d{1,9}$/.test(id) || !(await revokeToken(database, Number(id))))
    throw new CommandError(`There is no valid token ${id}.\n`);
  if (!database.embedded) await new Promise(done => setTimeout(done, tokenCacheTtlMs));
  return `The token ${id} is revoked in all processes.\n`;
}
