import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runCommand } from '../../../src/cli/run-command.js';
import { createPage } from '../../support/factories.js';
import { askAs, codeOf, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let owner: SignedInPerson;
beforeEach(async () => {
  service = await startTestService({ publicUrl: peopleOrigin });
  owner = await signIn(service);
});
afterEach(() => service.stop());

const run = (person: SignedInPerson, mutation: string) => askAs(service, person, `mutation { ${mutation} }`);
const membershipOf = async ({ personId }: SignedInPerson) =>
  (await service.database.query<{ id: number }>('select id from membership where person_id = $1', [personId]))[0]!.id;
const people = (...args: string[]) => runCommand(service, { args: ['people', ...args], directory: '.' });
const countOwners = async () =>
  (
    await service.database.query(
      `select 1 from membership m join person p on p.id = m.person_id
       where m.role = 'owner' and m.page_id is null and p.disabled_at is null`,
    )
  ).length;

const takeAways: [string, (person: SignedInPerson) => Promise<string>][] = [
  ['deleteMembership', async person => `deleteMembership(id: "${await membershipOf(person)}") { deletedId }`],
  [
    'updateMembership',
    async person => `updateMembership(id: "${await membershipOf(person)}", input: { role: VIEWER }) { person { id } }`,
  ],
  ['disablePerson', async ({ personId }) => `disablePerson(id: "${personId}") { person { id } }`],
  ['invitePerson', async ({ email }) => `invitePerson(input: { email: "${email}", role: VIEWER }) { person { id } }`],
];

test.each(takeAways)('%s is refused for the last enabled owner of all pages', async (_, toMutation) => {
  const page = await createPage(service);
  const others = [await signIn(service, 'publisher'), await signIn(service, 'owner', [page.id])];
  const disabled = await signIn(service);
  expect(codeOf(await run(owner, `disablePerson(id: "${disabled.personId}") { person { id } }`))).toBeUndefined();
  const refused = await run(owner, await toMutation(owner));
  expect([codeOf(refused), refused.errors[0].message]).toEqual([
    'CONFLICT',
    'This is the only owner of all pages. Make somebody else an owner of all pages first.',
  ]);
  expect(await countOwners()).toBe(1);
  for (const other of others) expect(codeOf(await run(owner, await toMutation(other)))).toBeUndefined();
  const second = await signIn(service);
  expect(codeOf(await run(owner, await toMutation(owner)))).toBeUndefined();
  expect(await countOwners()).toBe(1);
  expect((await askAs(service, second, '{ viewer { role } }')).data.viewer.role).toBe('OWNER');
});

test.each([
  ['disable', (email: string) => ['disable', email]],
  ['invite', (email: string) => ['invite', email, '--role', 'publisher']],
])('the command %s is refused for the last enabled owner of all pages', async (_, toArguments) => {
  expect(await people(...toArguments(owner.email))).toEqual({
    code: 1,
    text: '',
    error: 'This is the only owner of all pages. Make somebody else an owner of all pages first.\n',
  });
  expect(await countOwners()).toBe(1);
  await people('invite', 'second@example.com', '--role', 'owner');
  expect(await people(...toArguments(owner.email))).toMatchObject({ code: 0 });
});

test('two owners cannot take the role away from each other at the same time', async () => {
  const other = await signIn(service);
  const ids = [await membershipOf(owner), await membershipOf(other)];
  const results = await Promise.all([
    run(owner, `deleteMembership(id: "${ids[1]}") { deletedId }`),
    run(other, `deleteMembership(id: "${ids[0]}") { deletedId }`),
  ]);
  expect(results.filter(json => codeOf(json) === undefined)).toHaveLength(1);
  expect(await countOwners()).toBe(1);
});

test('without an owner of all pages the roles of others change', async () => {
  const token = { token: service.tokens.write };
  await service.database.query(`delete from membership`);
  const { personId } = await signIn(service, 'publisher');
  const { json } = await service.graphql(`mutation { disablePerson(id: "${personId}") { person { id } } }`, {}, token);
  expect(json.errors).toBeUndefined();
});
