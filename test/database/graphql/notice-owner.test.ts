import { beforeEach, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { askAs, codeOf, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ publicUrl: peopleOrigin });
let page: { id: string; path: string };
let notice: string;
let publisher: SignedInPerson;
let viewer: SignedInPerson;
beforeEach(async () => {
  page = await createPage(service);
  notice = String((await createNotice(service, page.path)).id);
  publisher = await signIn(service, 'publisher', [page.id]);
  viewer = await signIn(service, 'viewer', [page.id]);
});

const assign = (person: SignedInPerson, personId: number | null) =>
  askAs(
    service,
    person,
    `mutation ($id: ID!, $person: ID) {
       assignNotice(id: $id, personId: $person) { notice { ownerId owner version } userErrors { path code } } }`,
    { id: notice, person: personId === null ? null : String(personId) },
  );
const query = 'query ($page: ID!, $id: ID!) { notice(pageId: $page, id: $id) { ownerId owner version } }';
const read = async (person = viewer) =>
  (await askAs(service, person, query, { page: page.id, id: notice })).data.notice;

test('a publisher hands a notice over, which leaves its version and an entry in the audit log', async () => {
  expect(await read()).toEqual({ ownerId: null, owner: null, version: 1 });
  const owned = { ownerId: String(viewer.personId), owner: viewer.email, version: 1 };
  expect((await assign(publisher, viewer.personId)).data.assignNotice).toEqual({ notice: owned, userErrors: [] });
  expect(await read()).toEqual(owned);
  const log = `{ auditLog(pageId: "${page.id}", first: 1) { nodes { operation subject changes { field after } } } }`;
  expect((await service.graphql(log)).json.data.auditLog.nodes).toEqual([
    { operation: 'assignNotice', subject: 'Notice', changes: [{ field: 'ownerId', after: String(viewer.personId) }] },
  ]);
  await assign(publisher, null);
  expect(await read()).toMatchObject({ owner: null });
});

test('only people with a role on the page can be the owner, and are listed', async () => {
  const stranger = await signIn(service, 'owner', [(await createPage(service)).id]);
  expect((await assign(publisher, stranger.personId)).data.assignNotice).toEqual({
    notice: null,
    userErrors: [{ path: ['personId'], code: 'NOT_FOUND' }],
  });
  const { data } = await askAs(service, publisher, `{ assignees(pageId: "${page.id}") { personId } }`);
  const ids = data.assignees.map(({ personId }: { personId: string }) => Number(personId));
  expect(ids).toEqual(expect.arrayContaining([publisher.personId, viewer.personId]));
  expect(ids).not.toContain(stranger.personId);
});

test('visitors do not see the owner, and viewers do not change it', async () => {
  await assign(publisher, publisher.personId);
  const { json } = await service.graphql(query, { page: page.id, id: notice }, { token: null });
  expect(codeOf(json)).toBe('UNAUTHENTICATED');
  expect(codeOf(await assign(viewer, viewer.personId))).toBe('FORBIDDEN');
  const { text } = await service.get(`${page.path}/notices/${notice}`);
  expect(text).not.toContain(publisher.email);
});

test('a notice loses an owner who is disabled or deleted', async () => {
  await assign(publisher, viewer.personId);
  const disable = `mutation { disablePerson(id: "${viewer.personId}") { person { id } } }`;
  expect((await service.graphql(disable)).json.errors).toBeUndefined();
  expect(await read(publisher)).toMatchObject({ ownerId: null, owner: null });
});
