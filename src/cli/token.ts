import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Database } from '../db/database.js';
import { CommandError } from '../core/errors.js';
import { issueToken, revokeToken } from '../people/token-administration.service.js';
import { cacheTtlMs } from '../auth/credential-cache.js';
import { roles, type Role } from '../auth/roles.js';
import { type ListedToken, listTokens, scopes, type TokenRights } from '../auth/token.service.js';
import { toSingleLine } from '../core/text/single-line.js';
import { parseTimestamp } from '../core/timestamp.js';
import { describePages, parsePageIds, requirePages, writeAs } from './access-commands.js';
import type { CommandEnvironment } from './command.js';
import { addJsonOption, renderRecords } from './records.js';

const dayMs = 86_400_000;
const defaultLifetimeDays = 90;

interface CreateOptions {
  role: Role;
  scope?: 'read' | 'write';
  pages?: string[];
  expires?: Date | null;
}

export function define(command: Command, { run }: CommandEnvironment): void {
  command.description('Creates, lists and revokes the tokens of both APIs, also while the service runs.');
  command
    .command('create')
    .summary('create a token and print it, once')
    .description('Creates a token and prints it, once. docs/access.md says what each role may do.')
    .argument('[label...]', 'what the token is for')
    .addOption(new Option('--role <role>', 'what the token may do').choices(roles).default('owner'))
    .addOption(
      new Option('--scope <scope>', 'read: a viewer that also reads subscribers and channels; write: an owner')
        .choices(Object.keys(scopes))
        .conflicts('role'),
    )
    .option('--pages <ids>', 'on which pages, separated by commas; all pages without it', parsePageIds)
    .option('--expires <when>', '30d, a time or never; without it 90d, or never with --scope', parseExpiry)
    .action((words: string[], options: CreateOptions) => {
      const label = words.join(' ').slice(0, 255) || 'token';
      return run({ createsDatabase: true, run: ({ database }) => create(database, label, toRights(options)) });
    });
  addJsonOption(command.command('list'))
    .description('list all tokens, without their secrets')
    .action((options: { json?: boolean }) =>
      run({ createsDatabase: false, run: ({ database }) => list(database, options) }),
    );
  command
    .command('revoke')
    .description('revoke a token, and return when no process accepts it any more')
    .argument('<id>', 'the first column of the list')
    .action((id: string) => run({ createsDatabase: false, run: ({ database }) => revoke(database, id) }));
}

function toRights({ role, scope, pages, expires }: CreateOptions): TokenRights {
  // Tokens with a scope never expired before there were roles, and scripts that create them rely on it.
  const expiresAt = expires === undefined && !scope ? parseExpiry(`${defaultLifetimeDays}d`) : (expires ?? null);
  return { ...(scope ? scopes[scope] : { role }), pageIds: pages ?? null, expiresAt };
}

/** Days (`90d`), a time to come, or `never`. */
function parseExpiry(text: string): Date | null {
  if (text === 'never') return null;
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  const time = days ? new Date(Date.now() + Number(days) * dayMs) : parseTimestamp(text);
  if (!time || time.getTime() <= Date.now())
    throw new InvalidArgumentError('It must be days, such as 30d, a time to come, or never.');
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

const nameRights = ({ role, hasReadScope }: Pick<TokenRights, 'role' | 'hasReadScope'>) =>
  hasReadScope ? 'read' : role;

async function list(database: Database, options: { json?: boolean }): Promise<string> {
  const tokens = (await listTokens(database)).map(token => ({
    ...token,
    createdAt: toTimestamp(token.createdAt)!,
    lastUsedAt: toTimestamp(token.lastUsedAt),
    expiresAt: toTimestamp(token.expiresAt),
    revokedAt: toTimestamp(token.revokedAt),
  }));
  return renderRecords(tokens, options, token => describe(token).join('\t'), 'There are no tokens.\n');
}

/** The database returns its own format. */
const toTimestamp = (time: Date | null): string | null => time && new Date(time).toISOString();

type Timestamps = 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt';
type TokenRecord = Omit<ListedToken, Timestamps> & Record<Timestamps, string | null>;

const describe = (token: TokenRecord): string[] => [
  String(token.id),
  nameRights(token),
  describePages(token.pageIds),
  token.prefix ? `${token.prefix}...${token.lastFour}` : '-',
  `created ${token.createdAt}`,
  token.lastUsedAt ? `used ${token.lastUsedAt}` : 'not used',
  describeState(token),
  ...(token.email ? [`of ${token.email}`] : []),
  toSingleLine(token.label),
];

function describeState({ revokedAt, expiresAt }: TokenRecord): string {
  if (revokedAt) return `revoked ${revokedAt}`;
  if (!expiresAt) return 'valid';
  return `${Date.parse(expiresAt) > Date.now() ? 'valid until' : 'expired'} ${expiresAt}`;
}

/** Returns when the token has left the caches of all processes. */
async function revoke(database: Database, id: string): Promise<string> {
  const token = (await listTokens(database)).find(one => String(one.id) === id && !one.revokedAt);
  if (!token) throw new CommandError(`There is no valid token ${id}.\n`);
  await revokeToken(writeAs(database, 'revokeToken'), id, null);
  await new Promise(done => setTimeout(done, cacheTtlMs));
  return `The token ${id} is revoked in all processes.\n`;
}
