import { type Role, roles } from '../auth/roles.js';
import { CommandError } from '../core/errors.js';
import type { Database } from '../db/connection.js';
import { disablePerson, findEnabledPerson, invitePerson } from '../people/person.service.js';
import { createSignInLink } from '../people/sign-in-link.js';
import { parseEmailAddress } from '../subscribers/address.js';
import { describePages, parsePageIds, requirePages, writeAs } from './access-commands.js';
import type { Command, CommandContext } from './command.js';
import { parseOptions } from './options.js';
import { usages } from './usage.js';

/** `npm run people` */
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
  const email = words.length === 1 ? parseEmailAddress(words[0]!) : null;
  const role = options.role as Role;
  if (!email || !roles.includes(role)) throw new CommandError(usages.people);
  return context => invite(context, email, role, parsePageIds(options.pages));
}

async function invite(
  { database, settings }: CommandContext,
  email: string,
  role: Role,
  pageIds: string[] | null,
): Promise<string> {
  await requirePages(database, pageIds);
  const id = await writeAs(database, 'invitePerson').transaction(unit => invitePerson(unit, email, role, pageIds));
  const link = await createSignInLink(database, settings, id);
  return `${link}\nThis link signs ${email} in (${role}, ${describePages(pageIds)}), once, within 15 minutes.\n`;
}

async function list(database: Database): Promise<string> {
  const people = await database.query<{ email: string; roles: string; state: string }>(
    `select p.email, case when p.disabled_at is null then 'enabled' else 'disabled' end as state,
       coalesce(string_agg(m.role || ' of ' || coalesce(m.page_id, 'all pages'), ', ' order by m.id), 'no role') as roles
     from person p left join membership m on m.person_id = p.id group by p.id order by p.id`,
  );
  if (!people.length) return 'There are no people.\n';
  return people.map(({ email, roles: held, state }) => `${email}\t${state}\t${held}\n`).join('');
}

async function disable(database: Database, email: string): Promise<string> {
  const isDisabled = await writeAs(database, 'disablePerson').transaction(async unit => {
    const id = await findEnabledPerson(unit, email);
    return id !== null && disablePerson(unit, id);
  });
  if (!isDisabled) throw new CommandError(`There is no enabled person ${email}.\n`);
  return `${email} is disabled. Sessions and personal tokens end in all processes within a second.\n`;
}
