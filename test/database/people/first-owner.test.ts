import { expect, test } from '@jest/globals';
import { runCommand } from '../../../src/cli/run-command.js';
import { createPage } from '../../support/factories.js';
import { askAs, codeOf, peopleOrigin } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { sessionCookieOf } from '../../support/sign-in.js';

const email = 'owner@localhost';
const service = useOwnService({ publicUrl: peopleOrigin, bootstrapToken: '' });

const people = (...args: string[]) => runCommand(service, { args: ['people', ...args], directory: '.' });
const openLink = (link: string, headers: Record<string, string> = {}) =>
  service.call('POST', new URL(link).pathname, { token: null, headers: { origin: peopleOrigin, ...headers } });
const linkIn = ({ text }: { text: string }) => text.split('\n')[0]!;

test('the first owner is invited again by the command line and by GraphQL', async () => {
  expect(service.firstAccess!.email).toBe(email);
  const invited = await people('invite', email, '--role', 'owner');
  expect(invited).toMatchObject({ code: 0, text: expect.stringContaining(`signs ${email} in (owner, all pages)`) });
  const cookie = sessionCookieOf(await openLink(linkIn(invited)))!;
  const mutation = `mutation { invitePerson(input: { email: "${email}", role: OWNER }) { person { email } } }`;
  const { data } = await askAs(service, { cookie }, mutation);
  expect(data.invitePerson.person).toEqual({ email });
});

test.each([
  [2, ['invite', 'owner@nohost', '--role', 'owner'], /It must be an e-mail address\.\n/],
  [2, ['invite', 'a b@localhost', '--role', 'owner'], /It must be an e-mail address\.\n/],
  [2, ['invite', email, '--role', 'root'], /Allowed choices are viewer, drafter, publisher, owner\.\n/],
  [1, ['invite', 'new@example.com'], /^new@example\.com has no role\. Say which one: --role /],
])('the exit code is %d, with a reason, of the command %j', async (code, args, reason) => {
  expect(await people(...args)).toEqual({ code, text: '', error: expect.stringMatching(reason) });
});

test('an address at localhost is that of no subscriber', async () => {
  const page = await createPage(service);
  const { status, text } = await service.post(`${page.path}/subscribers`, { email });
  expect([status, text]).toEqual([422, expect.stringContaining('"email":["is invalid"]')]);
});

test('an invitation without a role prints another link, changes no role, and is in the audit log', async () => {
  await people('invite', 'ann@example.com', '--role', 'drafter');
  const again = await people('invite', 'Ann@Example.com');
  expect(again.text).toContain('in (drafter of all pages, as before), once');
  const cookie = sessionCookieOf(await openLink(linkIn(again)))!;
  expect((await askAs(service, { cookie }, '{ viewer { role } }')).data.viewer.role).toBe('DRAFTER');
  const entries = await service.database.query(
    `select e.operation, c.field from audit_entry e join audit_change c on c.entry_id = e.id
     where c.field = 'signInLink'`,
  );
  expect(entries).toEqual([{ operation: 'invitePerson', field: 'signInLink' }]);
  await people('disable', 'ann@example.com');
  expect(await people('invite', 'ann@example.com')).toMatchObject({ code: 1 });
});

test('an invitation that changes a role says so', async () => {
  await people('invite', 'bob@example.com', '--role', 'owner');
  const { text } = await people('invite', 'bob@example.com', '--role', 'publisher');
  expect(text).toContain('The role of bob@example.com was owner of all pages, and is publisher now.\n');
  expect((await people('invite', 'bob@example.com', '--role', 'publisher')).text).not.toContain(' was ');
});

test('a new sign-in is offered with the own address, and the session stays until it succeeds', async () => {
  const get = (cookie: string) =>
    service.get('/sign-in?again&to=/console/people', { token: null, headers: { cookie } });
  const kindOf = async (cookie: string) =>
    (await askAs(service, { cookie }, '{ viewer { kind } }')).data.viewer.kind as string;
  const cookie = sessionCookieOf(await openLink(linkIn(await people('invite', email, '--role', 'owner'))))!;
  await service.database.query(`update session set created_at = created_at - interval '11 minutes'`);
  const mutation = 'mutation { invitePerson(input: { email: "c@example.com", role: VIEWER }) { link } }';
  const page = await get(cookie);
  expect(page.text).toContain(`<code>allclear people invite ${email}</code>`);
  expect(page.text).toContain('href="/console/people"');
  expect(await kindOf(cookie)).toBe('PERSON');
  const renewed = sessionCookieOf(await openLink(linkIn(await people('invite', email)), { cookie }))!;
  expect(codeOf(await askAs(service, { cookie: renewed }, mutation))).toBeUndefined();
  const anonymous = await service.get('/sign-in', { token: null });
  expect(anonymous.text).toContain('<code>allclear people invite you@example.com</code>');
  expect(anonymous.text).toContain('An operator of this service can print a link for you');
  expect(anonymous.text).not.toContain('is not published');
  const unsent = await service.get('/sign-in?to=/console/&unsent', { token: null });
  expect(unsent.text).toContain('What you wrote is not published.');
});
