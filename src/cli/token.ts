import type { Database } from '../db/database.js';
import { CommandError } from '../core/errors.js';
import { issueToken, revokeToken } from '../people/token-administration.service.js';
import { cacheTtlMs } from '../auth/authenticator.js';
import { roles, type Role } from '../auth/roles.js';
import { type ListedToken, listTokens, scopes, type TokenRights } from '../auth/token.service.js';
import { parseTimestamp } from '../core/timestamp.js';
import { describePages, parsePageIds, requirePages, writeAs } from './access-commands.js';
import type { Command } from './command.js';
import { parseOptions } from './options.js';
import { usages } from './usage.js';

const dayMs = 86_400_000;
const defaultLifetimeDays = 90;
const optionNames = ['role', 'scope', 'pages', 'expires'];

export function parseTokenCommand([action, ...args]: string[]): Command {
  if (action === 'create') return { createsDatabase: true, run: parseCreate(args) };
  if (action === 'list' && !args.length) return { createsDatabase: false, run: ({ database }) => list(database) };
  if (action === 'revoke' && args.length === 1)
    return { createsDatabase: false, run: ({ database }) => revoke(database, args[0]!) };
  throw new CommandError(usages.token);
}

function parseCreate(args: string[]): Command['run'] {
  // Without `--` npm takes `--role viewer` as its own option, and the token would get all rights.
  if (optionNames.some(name => process.env[`npm_config_${name}`])) throw new CommandError(usages.token);
  const { options, words } = parseOptions(args, optionNames, usages.token);
  const label = words.join(' ').slice(0, 255) || 'token';
  // Tokens with a scope never expired before there were roles, and scripts that create them rely on it.
  const expiresAt = parseExpiry(options.expires ?? (options.scope ? 'never' : `${defaultLifetimeDays}d`));
  const rights = { ...parseRights(options), pageIds: parsePageIds(options.pages), expiresAt };
  return ({ database }) => create(database, label, rights);
}

/** `--scope read` is what tokens could do before there were roles. */
function parseRights({ role, scope }: Record<string, string>): TokenRights {
  if (role !== undefined && scope === undefined && roles.includes(role as Role)) return { role: role as Role };
  if (role === undefined && (scope === 'read' || scope === 'write')) return scopes[scope];
  if (role === undefined && scope === undefined) return { role: 'owner' };
  throw new CommandError(usages.token);
}

/** Days (`90d`), a time to come, or `never`. */
function parseExpiry(text: string): Date | null {
  if (text === 'never') return null;
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  const time = days ? new Date(Date.now() + Number(days) * dayMs) : parseTimestamp(text);
  if (!time || time.getTime() <= Date.now()) throw new CommandError(usages.token);
  return time;
}

async function create(database: Database, label: string, rights: TokenRights): Promise<string> {
  const { pageIds = null, expiresAt } = rights;
  await requirePages(database, pageIds);
  const { secret } = await writeAs(database, 'createToken').transaction(unit => issueToken(unit, label, rights));
  const described = [
    nameRights(rights),
    describePages(pageIds),
    expiresAt ? `until ${expiresAt.toISOString()}` : 'never expires',
  ];
  return `${secret}\nThis is the token "${label}" (${described.join(', ')}). It is shown only once.\n`;
}

const nameRights = ({ role, readsEverything }: TokenRights) => (readsEverything ? 'read' : role);

async function list(database: Database): Promise<string> {
  const tokens = await listTokens(database);
  if (!tokens.length) return 'There are no tokens.\n';
  return tokens.map(token => `${describe(token).join('\t')}\n`).join('');
}

const describe = (token: ListedToken): string[] => [
  String(token.id),
  nameRights(token),
  describePages(token.pageIds),
  token.prefix ? `${token.prefix}...${token.lastFour}` : '-',
  `created ${new Date(token.createdAt).toISOString()}`,
  token.lastUsedAt ? `used ${new Date(token.lastUsedAt).toISOString()}` : 'not used',
  describeState(token),
  ...(token.email ? [`of ${token.email}`] : []),
  token.label,
];

function describeState({ revokedAt, expiresAt }: ListedToken): string {
  if (revokedAt) return `revoked ${new Date(revokedAt).toISOString()}`;
  if (!expiresAt) return 'valid';
  const time = new Date(expiresAt);
  return `${time.getTime() > Date.now() ? 'valid until' : 'expired'} ${time.toISOString()}`;
}

/** Returns when the token has left the caches of all processes. */
async function revoke(database: Database, id: string): Promise<string> {
  const token = (await listTokens(database)).find(one => String(one.id) === id && !one.revokedAt);
  if (!token) throw new CommandError(`There is no valid token ${id}.\n`);
  await revokeToken(writeAs(database, 'revokeToken'), id, null);
  await new Promise(done => setTimeout(done, cacheTtlMs));
  return `The token ${id} is revoked in all processes.\n`;
}
