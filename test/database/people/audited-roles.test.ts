import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportAuditLog } from '../../../src/people/audit/audit-log.service.js';
import { runCommand } from '../../../src/cli/run-command.js';
import { createPage } from '../../support/factories.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ publicUrl: peopleOrigin });
let own: string;
let other: string;
let owner: SignedInPerson;
beforeAll(async () => {
  own = (await createPage(service)).id;
  other = (await createPage(service)).id;
  owner = await signIn(service);
});

const run = async (mutation: string) => {
  const json = await askAs(service, owner, `mutation { ${mutation} }`);
  expect(json.errors).toBeUndefined();
};
const lastEntry = async (person = owner, pageId: string | null = null) => {
  const query = `query($pageId: ID) { auditLog(pageId: $pageId, first: 1) { nodes {
    operation subject subjectId subjectLabel changes { record field before after } } } }`;
  return (await askAs(service, person, query, { pageId })).data.auditLog.nodes[0];
};
const role = (before: string | null, after: string | null) => ({ record: 'Membership', field: 'role', before, after });
const subjectOf = ({ personId, email }: SignedInPerson) => ({
  subject: 'Person',
  subjectId: String(personId),
  subjectLabel: email,
});

describe('The audit log', () => {
  test.each([
    [
      'GraphQL',
      ({ email }: SignedInPerson) =>
        run(`invitePerson(input: { email: "${email.toUpperCase()}", role: PUBLISHER }) { person { id } }`),
    ],
    [
      'the command line',
      ({ email }: SignedInPerson) =>
        runCommand(service, { args: ['people', 'invite', email, '--role', 'publisher'], directory: '.' }),
    ],
  ])('has the role before and after of an invitation that changes it, by %s', async (_, invite) => {
    const person = await signIn(service, 'owner');
    await invite(person);
    const entry = await lastEntry();
    expect(entry).toMatchObject({ operation: 'invitePerson', ...subjectOf(person) });
    expect(entry.changes).toContainEqual(role('owner', 'publisher'));
    await invite(person);
    expect((await lastEntry()).changes.map(({ field }: { field: string }) => field)).not.toContain('role');
  });

  test('has each role of an invitation to several pages', async () => {
    const person = await signIn(service, 'viewer', [own]);
    await run(
      `invitePerson(input: { email: "${person.email}", role: DRAFTER, pageIds: ["${own}", "${other}"] }) { person { id } }`,
    );
    const { changes } = await lastEntry();
    expect(changes).toEqual(expect.arrayContaining([role('viewer', 'drafter'), role(null, 'drafter')]));
  });

  test('names the person of a role that is changed or taken away', async () => {
    const person = await signIn(service, 'viewer', [own]);
    const pageOwner = await signIn(service, 'owner', [own]);
    const [membership] = await service.database.query<{ id: number }>(
      'select id from membership where person_id = $1',
      [person.personId],
    );
    await run(`updateMembership(id: "${membership!.id}", input: { role: PUBLISHER }) { person { id } }`);
    expect(await lastEntry(pageOwner, own)).toEqual({
      operation: 'updateMembership',
      ...subjectOf(person),
      changes: [role('viewer', 'publisher')],
    });
    await run(`deleteMembership(id: "${membership!.id}") { deletedId }`);
    expect(await lastEntry(pageOwner, own)).toEqual({
      operation: 'deleteMembership',
      ...subjectOf(person),
      changes: [role('publisher', null), { record: 'Membership', field: 'pageId', before: own, after: null }],
    });
  });

  test('has the roles that a person loses who is disabled, and who is enabled again', async () => {
    const person = await signIn(service, 'publisher', [own, other]);
    await run(`disablePerson(id: "${person.personId}") { person { id } }`);
    const disabled = await lastEntry();
    expect(disabled).toMatchObject({ operation: 'disablePerson', ...subjectOf(person) });
    const lostPage = (id: string) => ({ record: 'Membership', field: 'pageId', before: id, after: null });
    const lost = [role('publisher', null), role('publisher', null), lostPage(own), lostPage(other)];
    const roles = disabled.changes.filter(({ record }: { record: string }) => record === 'Membership');
    expect(roles).toHaveLength(lost.length);
    expect(roles).toEqual(expect.arrayContaining(lost));
    await run(`enablePerson(id: "${person.personId}") { person { id } }`);
    expect((await lastEntry()).changes).toEqual([
      { record: 'Person', field: 'disabledAt', before: expect.any(String), after: null },
    ]);
    await run(`disablePerson(id: "${person.personId}") { person { id } }`);
    await run(`invitePerson(input: { email: "${person.email}", role: VIEWER }) { person { id } }`);
    expect((await lastEntry()).changes).toContainEqual(
      expect.objectContaining({ field: 'disabledAt', before: expect.any(String), after: null }),
    );
  });

  test('is exported with the address, and labels no other record with one', async () => {
    const person = await signIn(service, 'viewer', [own]);
    const { text } = await exportAuditLog(service.database, {});
    const entries = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(entries.filter(({ subject_label: label }) => label === person.email)).toEqual([
      expect.objectContaining({ subject: 'Person', subject_id: String(person.personId) }),
    ]);
    const others = entries.filter(({ subject }) => subject !== 'Person');
    expect(others.length).toBeGreaterThan(0);
    expect(others.some(({ subject_label: label }) => label?.includes('@'))).toBe(false);
  });
});
