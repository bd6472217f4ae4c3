import { beforeAll, describe, expect, test } from '@jest/globals';
import { findGrants } from '../../../src/auth/token.service.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { createPage } from '../../support/factories.js';
import { askAs, codeOf, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { codesByField } from '../../support/user-errors.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useOwnService({ publicUrl: peopleOrigin });
let own: string;
let foreign: string;
let owner: SignedInPerson;
let pageOwner: SignedInPerson;
beforeAll(async () => {
  own = (await createPage(service)).id;
  foreign = (await createPage(service)).id;
  owner = await signIn(service);
  pageOwner = await signIn(service, 'owner', [own]);
});

const ask = (person: SignedInPerson, query: string, variables: Record<string, unknown> = {}) =>
  askAs(service, person, query, variables);

interface ListedPerson {
  id: string;
  email: string;
  disabledAt: string | null;
  memberships: { id: string; role: string; pageId: string | null }[];
  sessions: { id: string }[];
}
const fields = 'id email disabledAt memberships { id role pageId } sessions { id }';
const listPeople = async (person: SignedInPerson, pageId: string | null = null): Promise<ListedPerson[]> =>
  (await ask(person, `query($pageId: ID) { people(pageId: $pageId, first: 100) { nodes { ${fields} } } }`, { pageId }))
    .data.people.nodes;
const find = async (person: SignedInPerson, id: number | string) =>
  (await listPeople(person)).find(one => one.id === String(id))!;
const invite = (person: SignedInPerson, input: object) =>
  ask(person, `mutation($input: InvitePersonInput!) { invitePerson(input: $input) { link person { ${fields} } } }`, {
    input,
  });
const run = (person: SignedInPerson, mutation: string) => ask(person, `mutation { ${mutation} }`);
const ageSessions = (person: SignedInPerson) =>
  service.database.query(
    `update session set created_at = clock_timestamp() - interval '11 minutes' where person_id = $1`,
    [person.personId],
  );

const roleOf = async (person: SignedInPerson) =>
  (await ask(person, `{ viewer { role(pageId: "${own}") } }`)).data.viewer.role;

test('a person is not moved to the turns of a page by an invitation to it', async () => {
  const [first, second] = [own, foreign].sort().reverse();
  const person = await signIn(service, 'viewer', [first!]);
  await invite(owner, { email: person.email, role: 'OWNER', pageIds: [second] });
  await inTransaction(service.database, async em => {
    expect((await findGrants(em, service.settings, `person ${person.personId}`))?.firstPage).toBe(first);
  });
});

describe('people', () => {
  test('lists all people for an owner of all pages, and those of a page', async () => {
    const reader = await signIn(service, 'viewer', [foreign]);
    const all = (await listPeople(owner)).map(({ email }) => email);
    expect(all).toEqual(expect.arrayContaining([owner.email, pageOwner.email, reader.email]));
    const ofPage = (await listPeople(owner, own)).map(({ email }) => email);
    expect(ofPage).toContain(pageOwner.email);
    expect(ofPage).not.toContain(reader.email);
    expect(ofPage).not.toContain(owner.email);
  });

  test('lists for the owner of a page its people alone, with their roles there and without their sessions', async () => {
    const both = await signIn(service, 'publisher', [own, foreign]);
    const reader = await signIn(service, 'viewer', [foreign]);
    const people = await listPeople(pageOwner);
    expect(people.map(({ email }) => email)).not.toContain(owner.email);
    expect(people.map(({ email }) => email)).not.toContain(reader.email);
    expect(people.find(({ email }) => email === both.email)).toMatchObject({
      memberships: [{ role: 'PUBLISHER', pageId: own }],
      sessions: [],
    });
    const seen = await find(owner, both.personId);
    expect(seen.memberships).toHaveLength(2);
    expect(seen.sessions).toHaveLength(1);
    expect((await find(pageOwner, pageOwner.personId)).sessions).toHaveLength(1);
  });

  test('answers for another page like for one that does not exist', async () => {
    const query = 'query($pageId: ID) { people(pageId: $pageId) { nodes { id } } }';
    const refused = await ask(pageOwner, query, { pageId: foreign });
    expect(codeOf(refused)).toBe('NOT_FOUND');
    expect(refused).toEqual(await ask(pageOwner, query, { pageId: '00000000' }));
    expect(codeOf(await ask(owner, query, { pageId: '00000000' }))).toBe('NOT_FOUND');
  });

  test('is forbidden to others, who see their own roles all the same', async () => {
    const publisher = await signIn(service, 'publisher', [own]);
    expect(codeOf(await ask(publisher, '{ people { nodes { id } } }'))).toBe('FORBIDDEN');
    const { data } = await ask(publisher, '{ viewer { person { memberships { role pageId } sessions { id } } } }');
    expect(data.viewer.person).toEqual({
      memberships: [{ role: 'PUBLISHER', pageId: own }],
      sessions: [{ id: expect.any(String) }],
    });
  });
});

describe('invitePerson', () => {
  test('gives a link to an owner of all pages, which signs in', async () => {
    const { data } = await invite(owner, { email: ' ann@example.com', role: 'DRAFTER', pageIds: [own] });
    const { link, person } = data.invitePerson;
    expect(person).toMatchObject({ email: 'ann@example.com', memberships: [{ role: 'DRAFTER', pageId: own }] });
    expect(link).toMatch(/^https:\/\/status\.example\.com\/sign-in\/[\w-]{43}$/);
    const request = { token: null, headers: { origin: peopleOrigin } };
    expect((await service.call('POST', new URL(link).pathname, request)).status).toBe(303);
    expect((await invite(owner, { email: 'ann@example.com', role: 'VIEWER' })).data.invitePerson.link).toBeNull();
    const log = `{ auditLog(first: 1) { nodes { actor { label } operation changes { field after } } } }`;
    const [entry] = (await ask(owner, log)).data.auditLog.nodes;
    expect(entry).toMatchObject({ actor: { label: owner.email }, operation: 'invitePerson' });
    expect(JSON.stringify(entry)).not.toContain('sign-in');
  });

  test('invites for the page of its owner alone, without a link', async () => {
    const { data } = await invite(pageOwner, { email: 'bob@example.com', role: 'OWNER', pageIds: [own] });
    expect(data.invitePerson).toMatchObject({ link: null, person: { email: 'bob@example.com' } });
    expect(codeOf(await invite(pageOwner, { email: 'bob@example.com', role: 'VIEWER' }))).toBe('FORBIDDEN');
    const other = await invite(pageOwner, { email: 'bob@example.com', role: 'VIEWER', pageIds: [foreign] });
    const missing = await invite(pageOwner, { email: 'bob@example.com', role: 'VIEWER', pageIds: ['00000000'] });
    expect(codesByField(other)).toEqual({ 0: ['NOT_FOUND'] });
    expect(JSON.stringify(other.errors).replaceAll(foreign, '00000000')).toBe(JSON.stringify(missing.errors));
    const publisher = await signIn(service, 'publisher', [own]);
    const refused = await invite(publisher, { email: 'bob@example.com', role: 'VIEWER', pageIds: [own] });
    expect(codeOf(refused)).toBe('FORBIDDEN');
  });

  test.each<[string, object, string]>([
    ['an address that is none', { email: 'nobody' }, 'email'],
    ['no pages', { pageIds: [] }, 'pageIds'],
    ['a page that PostgreSQL cannot store', { pageIds: ['\0'] }, '0'],
  ])('refuses %s, and stores nothing', async (_, input, field) => {
    const count = async () => (await service.database.query('select id from person')).length;
    const before = await count();
    const json = await invite(owner, { email: 'new@example.com', role: 'VIEWER', ...input });
    expect([codeOf(json), Object.keys(codesByField(json))]).toEqual(['INVALID', [field]]);
    expect(await count()).toBe(before);
  });
});

describe('A membership', () => {
  test('is changed and deleted by the owner of its page, and counts soon', async () => {
    const person = await signIn(service, 'viewer', [own]);
    const { id } = (await find(pageOwner, person.personId)).memberships[0]!;
    const changed = await run(
      pageOwner,
      `updateMembership(id: "${id}", input: { role: PUBLISHER }) { person { memberships { role } } }`,
    );
    expect(changed.data.updateMembership.person.memberships).toEqual([{ role: 'PUBLISHER' }]);
    await waitUntilEqual(() => roleOf(person), 'PUBLISHER');
    expect((await run(pageOwner, `deleteMembership(id: "${id}") { deletedId }`)).data.deleteMembership).toEqual({
      deletedId: id,
    });
    await waitUntilEqual(() => roleOf(person), null);
    const log = `{ auditLog(pageId: "${own}", first: 2) { nodes { operation changes { before after } } } }`;
    expect((await ask(pageOwner, log)).data.auditLog.nodes).toEqual([
      expect.objectContaining({ operation: 'deleteMembership' }),
      { operation: 'updateMembership', changes: [{ before: 'viewer', after: 'publisher' }] },
    ]);
  });

  test('of another page or of all pages does not exist for the owner of a page', async () => {
    const person = await signIn(service, 'viewer', [foreign]);
    const ids = [person, owner].map(async ({ personId }) => (await find(owner, personId)).memberships[0]!.id);
    const missing = await run(pageOwner, 'deleteMembership(id: "999999") { deletedId }');
    for (const id of await Promise.all(ids)) {
      expect(await run(pageOwner, `deleteMembership(id: "${id}") { deletedId }`)).toEqual(missing);
      const update = (one: string) =>
        run(pageOwner, `updateMembership(id: "${one}", input: { role: OWNER }) { person { id } }`);
      expect(await update(id)).toEqual(await update('999999'));
    }
    expect(codeOf(missing)).toBe('NOT_FOUND');
  });
});

describe('A person', () => {
  test('is disabled with sessions, roles and personal tokens, and enabled without any', async () => {
    const person = await signIn(service, 'owner', [own]);
    const made = await run(
      person,
      `createToken(input: { label: "mine", role: OWNER, pageIds: ["${own}"] }) { secret }`,
    );
    const token = made.data.createToken.secret;
    const status = async () => (await service.get(`/v1/pages/${own}`, { token })).status;
    expect(await status()).toBe(200);
    const disabled = await run(owner, `disablePerson(id: "${person.personId}") { person { ${fields} } }`);
    expect(disabled.data.disablePerson.person).toMatchObject({
      disabledAt: expect.any(String),
      memberships: [],
      sessions: [],
    });
    await waitUntilEqual(status, 401);
    const kind = async () => (await ask(person, '{ viewer { kind } }')).data.viewer.kind;
    await waitUntilEqual(kind, 'ANONYMOUS');
    const again = await invite(pageOwner, { email: person.email, role: 'VIEWER', pageIds: [own] });
    expect(codesByField(again)).toEqual({ email: ['INVALID'] });
    const enabled = await run(owner, `enablePerson(id: "${person.personId}") { person { ${fields} } }`);
    expect(enabled.data.enablePerson.person).toMatchObject({ disabledAt: null, memberships: [] });
    expect(await status()).toBe(401);
  });

  test('is disabled by an owner of all pages alone', async () => {
    for (const operation of ['disablePerson', 'enablePerson'])
      expect(codeOf(await run(pageOwner, `${operation}(id: "${pageOwner.personId}") { person { id } }`))).toBe(
        'FORBIDDEN',
      );
    expect(codeOf(await run(owner, 'disablePerson(id: "999999") { person { id } }'))).toBe('NOT_FOUND');
  });

  test('has sessions that an owner of all pages revokes, and nobody else', async () => {
    const person = await signIn(service, 'viewer', [own]);
    const { id } = (await find(owner, person.personId)).sessions[0]!;
    expect(codeOf(await run(pageOwner, `revokeSession(id: "${id}") { sessionId }`))).toBe('NOT_FOUND');
    const late = await signIn(service);
    await ageSessions(late);
    expect(codeOf(await run(late, `revokeSession(id: "${id}") { sessionId }`))).toBe('FORBIDDEN');
    expect((await run(owner, `revokeSession(id: "${id}") { sessionId }`)).data.revokeSession).toEqual({
      sessionId: id,
    });
    await waitUntilEqual(async () => (await ask(person, '{ viewer { kind } }')).data.viewer.kind, 'ANONYMOUS');
  });

  test('signs in again before changing people', async () => {
    const late = await signIn(service);
    const { memberships } = await find(owner, late.personId);
    await ageSessions(late);
    const guarded = [
      'invitePerson(input: { email: "x@example.com", role: VIEWER }) { person { id } }',
      `updateMembership(id: "${memberships[0]!.id}", input: { role: VIEWER }) { person { id } }`,
      `deleteMembership(id: "${memberships[0]!.id}") { deletedId }`,
      `disablePerson(id: "${pageOwner.personId}") { person { id } }`,
      `enablePerson(id: "${pageOwner.personId}") { person { id } }`,
    ];
    for (const mutation of guarded) {
      const json = await run(late, mutation);
      expect([codeOf(json), json.errors[0].message]).toEqual(['FORBIDDEN', expect.stringMatching(/^Sign in again/)]);
    }
    expect((await listPeople(late)).length).toBeGreaterThan(1);
  });
});

describe('A token of a person', () => {
  const create = (person: SignedInPerson, input: string) =>
    run(person, `createToken(input: { label: "x", ${input} }) { secret token { id person { email } } }`);

  test('belongs to the person, unless an owner of all pages makes a service token', async () => {
    const mine = await create(pageOwner, `role: OWNER, pageIds: ["${own}"]`);
    expect(mine.data.createToken.token.person).toEqual({ email: pageOwner.email });
    const service = await create(owner, 'role: VIEWER, isService: true');
    expect(service.data.createToken.token.person).toBeNull();
    expect((await create(owner, 'role: VIEWER')).data.createToken.token.person).toEqual({ email: owner.email });
    const refused = await create(pageOwner, `role: VIEWER, pageIds: ["${own}"], isService: true`);
    expect(codesByField(refused)).toEqual({ isService: ['NOT_APPLICABLE'] });
  });

  test('can do what its person still can', async () => {
    const person = await signIn(service, 'owner', [own]);
    const token = (await create(person, `role: OWNER, pageIds: ["${own}"]`)).data.createToken.secret;
    const role = async () =>
      (await service.graphql(`{ viewer { role(pageId: "${own}") } }`, {}, { token })).json.data.viewer.role;
    expect(await role()).toBe('OWNER');
    const { id } = (await find(owner, person.personId)).memberships[0]!;
    await run(owner, `updateMembership(id: "${id}", input: { role: VIEWER }) { person { id } }`);
    await waitUntilEqual(role, 'VIEWER');
    await run(owner, `deleteMembership(id: "${id}") { deletedId }`);
    await waitUntilEqual(role, null);
  });
});
