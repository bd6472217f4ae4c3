import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Role, roles } from '../auth/roles.js';
import { CommandError } from '../core/errors.js';
import type { Database } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { parsePersonAddress } from '../people/person-address.js';
import { disablePerson, findEnabledPerson, invitePerson } from '../people/person.service.js';
import { createSignInLink } from '../people/sign-in-link.js';
import type { Unit } from '../records/unit.js';
import { describePages, parsePageIds, refuseAsCommand, requirePages, writeAs } from './access-commands.js';
import type { CommandContext } from '../server/command-runner.js';
import type { CommandEnvironment } from './command.js';
import { addJsonOption, renderRecords } from './records.js';

interface InviteOptions {
  role?: Role;
  pages?: string[];
}

export function define(command: Command, { run }: CommandEnvironment): void {
  command.description('Invites, lists and disables people, also while the service runs.');
  command
    .command('invite')
    .summary('print a link that signs somebody in')
    .description(
      'Prints a link that signs somebody in, once, within 15 minutes. ' +
        '--role gives the role on those pages, in place of the one that the person has there; roles on other pages ' +
        'stay. Without it the link is for somebody who has a role.',
    )
    .argument('<address>', 'the e-mail address', parseAddress)
    .addOption(new Option('--role <role>', 'what the person may do').choices(roles))
    .option('--pages <ids>', 'on which pages, separated by commas; all pages without it', parsePageIds)
    .action((email: string, { role, pages }: InviteOptions, action: Command) => {
      if (pages && !role) action.error('error: --pages requires --role.');
      return run({
        createsDatabase: true,
        run: context => (role ? invite(context, email, role, pages ?? null) : printLink(context, email)),
      });
    });
  addJsonOption(command.command('list'))
    .description('list all people with their roles')
    .action((options: { json?: boolean }) =>
      run({ createsDatabase: false, run: ({ database }) => list(database, options) }),
    );
  command
    .command('disable')
    .description('disable a person, whose sessions and personal tokens end')
    .argument('<address>', 'the e-mail address')
    .action((email: string) => run({ createsDatabase: false, run: ({ database }) => disable(database, email) }));
}

function parseAddress(text: string): string {
  const email = parsePersonAddress(text);
  if (!email) throw new InvalidArgumentError('It must be an e-mail address.');
  return email;
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
const write = <Result>(database: Database, operation: string, work: (unit: Unit) => Promise<Result>) =>
  refuseAsCommand(() => writeAs(database, operation).transaction(work));

const findRoles = ({ em }: Unit, email: string) =>
  query<{ pageId: string | null; role: Role; isMapped: boolean }>(
    em,
    `select m.page_id as "pageId", m.role, m.is_mapped as "isMapped" from membership m
     join person p on p.id = m.person_id where lower(p.email) = lower($1) order by m.id`,
    [email],
  );

interface ListedPerson {
  email: string;
  state: 'enabled' | 'disabled';
  roles: { role: Role; page_id: string | null }[];
}

async function list(database: Database, options: { json?: boolean }): Promise<string> {
  const people = await database.query<ListedPerson>(
    `select p.email, case when p.disabled_at is null then 'enabled' else 'disabled' end as state,
       coalesce(
         json_agg(json_build_object('role', m.role, 'page_id', m.page_id) order by m.id)
           filter (where m.id is not null),
         '[]') as roles
     from person p left join membership m on m.person_id = p.id group by p.id order by p.id`,
  );
  const renderLine = ({ email, state, roles: held }: ListedPerson) =>
    [email, state, held.map(describeRole).join(', ') || 'no role'].join('\t');
  return renderRecords(people, options, renderLine, 'There are no people.\n');
}

const describeRole = ({ role, page_id: pageId }: ListedPerson['roles'][number]) =>
  `${role} of ${pageId ?? 'all pages'}`;

async function disable(database: Database, email: string): Promise<string> {
  const isDisabled = await write(database, 'disablePerson', async unit => {
    const id = await findEnabledPerson(unit, email);
    return id !== null && disablePerson(unit, id);
  });
  if (!isDisabled) throw new CommandError(`There is no active person ${email}.\n`);
  return `${email} is disabled. Sessions and personal tokens end in all processes within a second.\n`;
}
