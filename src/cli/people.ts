import { type Role, roles } from '../auth/roles.js';
import { CommandError, Refusal } from '../core/errors.js';
import type { Database } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { parsePersonAddress } from '../people/person-address.js';
import { disablePerson, findEnabledPerson, invitePerson } from '../people/person.service.js';
import { createSignInLink } from '../people/sign-in-link.js';
import type { Unit } from '../records/unit.js';
import { describePages, parsePageIds, requirePages, writeAs } from './access-commands.js';
import type { CommandContext } from '../server/command-runner.js';
import type { Command } from './command.js';
import { parseOptions } from './options.js';
import { usages } from './usage.js';

export function parsePeopleCommand([action, ...args]: string[]): Command {
  if (action === 'invite') return { createsDatabase: true, run: parseInvite(args) };
  if (action === 'list' && !args.length) return { createsDatabase: false, run: ({ database }) => list(database) };
  if (action === 'disable' && args.length === 1)
    return { createsDatabase: false, run: ({ database }) => disable(database, args[0]!) };
  throw new CommandError(usages.people);
}

function parseInvite(args: string[]): Command['run'] {
  // Without `--` npm takes `--pages` as its own option, and the role would be for all pages.
  if (process.env.npm_config_pages) throw new CommandError(usages.people);
  const { options, words } = parseOptions(args, ['role', 'pages'], usages.people);
  if (words.length !== 1) throw new CommandError(usages.people);
  const email = parsePersonAddress(words[0]!);
  if (!email) throw new CommandError(`"${words[0]}" is not an e-mail address.\n\n${usages.people}`);
  if (!options.role && !options.pages) return context => printLink(context, email);
  const role = options.role as Role;
  if (!roles.includes(role)) throw new CommandError(`--role must be one of ${roles.join(', ')}.\n\n${usages.people}`);
  return context => invite(context, email, role, parsePageIds(options.pages));
}

async function invite(
  { database, settings }: CommandContext,
  email: string,
  role: Role,
  pageIds: string[] | null,
): Promise<string> {
  await requirePages(database, pageIds);
  const scopes: readonly (string | null)[] = pageIds ?? [null];
  const [id, changed] = await write(database, 'invitePerson', async unit => {
    const held = (await findRoles(unit, email)).filter(({ isMapped }) => !isMapped);
    const id = await invitePerson(unit, email, role, pageIds);
    return [id, held.filter(each => scopes.includes(each.pageId) && each.role !== role)] as const;
  });
  const link = await createSignInLink(database, settings, id);
  const changes = changed.map(
    ({ pageId, role: before }) =>
      `The role of ${email} was ${before} of ${pageId ?? 'all pages'}, and is ${role} now.\n`,
  );
  const rights = `${role}, ${describePages(pageIds)}`;
  return `${link}\nThis link signs ${email} in (${rights}), once, within 15 minutes.\n${changes.join('')}`;
}

/** Another link for somebody who has a role, which stays as it is. */
async function printLink({ database, settings }: CommandContext, email: string): Promise<string> {
  const [id, held] = await write(database, 'invitePerson', async unit => {
    const id = await findEnabledPerson(unit, email);
    const held = await findRoles(unit, email);
    if (id === null || !held.length)
      throw new CommandError(`${email} has no role. Say which one: --role ${roles.join('|')} [--pages <id>,<id>]\n`);
    unit.describeChange('Person', String(id), { signInLink: { after: 'created' } });
    return [id, held] as const;
  });
  const link = await createSignInLink(database, settings, id);
  const list = held.map(({ role, pageId }) => `${role} of ${pageId ?? 'all pages'}`).join(', ');
  return `${link}\nThis link signs ${email} in (${list}, as before), once, within 15 minutes.\n`;
}

/** One transaction; what it refuses is printed. */
async function write<Result>(database: Database, operation: string, work: (unit: Unit) => Promise<Result>) {
  try {
    return await writeAs(database, operation).transaction(work);
  } catch (error) {
    throw error instanceof Refusal ? new CommandError(`${error.message}\n`) : error;
  }
}

const findRoles = ({ em }: Unit, email: string) =>
  query<{ pageId: string | null; role: Role; isMapped: boolean }>(
    em,
    `select m.page_id as "pageId", m.role, m.is_mapped as "isMapped" from membership m
     join person p on p.id = m.person_id where lower(p.email) = lower($1) order by m.id`,
    [email],
  );

async function list(database: Database): Promise<string> {
  const people = await database.query<{ email: string; roles: string; state: string }>(
    `select p.email, case when p.disabled_at is null then 'enabled' else 'disabled' end as state,
       coalesce(
         string_agg(m.role || ' of ' || coalesce(m.page_id, 'all pages'), ', ' order by m.id), 'no role') as roles
     from person p left join membership m on m.person_id = p.id group by p.id order by p.id`,
  );
  if (!people.length) return 'There are no people.\n';
  return people.map(({ email, roles: held, state }) => `${email}\t${state}\t${held}\n`).join('');
}

async function disable(database: Database, email: string): Promise<string> {
  const isDisabled = await write(database, 'disablePerson', async unit => {
    const id = await findEnabledPerson(unit, email);
    return id !== null && disablePerson(unit, id);
  });
  if (!isDisabled) throw new CommandError(`There is no enabled person ${email}.\n`);
  return `${email} is disabled. Sessions and personal tokens end in all processes within a second.\n`;
}
