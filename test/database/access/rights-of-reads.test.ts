import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cacheTtlMs } from '../../../src/auth/credential-cache.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { signIn } from '../../support/people.js';
import { startTestService, type TestResponse, type TestService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/** Two services on one database: the roles change through one, the reads go through the other, which has answered before. */
let one: TestService;
let other: TestService;
beforeAll(async () => {
  const settings = { publicUrl: 'https://status.example.com' };
  one = await startTestService(settings);
  other = await startTestService(settings, { database: one.database });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

const graphql = (query: string) => (page: string, request: object) =>
  other.graphql(`query($page: ID!) { ${query} }`, { page }, request);
const rest = (path: string) => (page: string, request: object) => other.get(`/v1/pages/${page}${path}`, request);
type Read = (page: string, request: object) => Promise<TestResponse>;

/** By name, and whether a viewer may read it. */
const reads: [name: string, read: Read, isOpenToViewers: boolean][] = [
  ['page', graphql('page(id: $page) { name supportEmail }'), true],
  ['notices', graphql('notices(pageId: $page) { nodes { subject updates { nodes { content } } } }'), true],
  ['drafts', graphql('drafts(pageId: $page) { nodes { change { openIncident { subject } } } }'), false],
  ['noticeTemplates', graphql('noticeTemplates(pageId: $page) { nodes { name } }'), true],
  ['GET /v1/pages/:id', rest(''), true],
  ['GET /v1/pages/:id/components', rest('/components'), true],
  ['GET /v1/pages/:id/notices', rest('/notices?include=updates'), true],
  ['GET /v1/pages/:id/notice_templates', rest('/notice_templates'), true],
];

/** A private page with the personal token of an owner, which has read everything so often that all of it is remembered. */
async function preparePerson() {
  const page = await createPage(one);
  await one.graphql(
    `mutation { setPageVisibility(pageId: "${page.id}", input: { visibility: MEMBERS }) { __typename } }`,
  );
  await createComponent(one, page.path, { name: 'API' });
  await createNotice(one, page.path, { subject: 'Disk full' });
  const { personId } = await signIn(one, 'owner', [page.id]);
  const token = await createToken(one.database, 'personal', { role: 'owner', pageIds: [page.id], personId });
  const [membership] = await one.database.query<{ id: number }>('select id from membership where person_id = $1', [
    personId,
  ]);
  const etags = new Map<string, string>();
  for (const [name, read] of reads)
    for (let time = 0; time < 4; time++) {
      const etag = etags.get(name);
      const response = await read(page.id, { token, headers: etag ? { 'if-none-match': etag } : {} });
      expect([name, response.status]).toEqual([name, etag ? 304 : 200]);
      const received = response.headers.get('etag');
      if (received) etags.set(name, received);
    }
  /** Each read as the token makes it, without and with the ETag that it has. */
  const readAll = async () => {
    await wait(cacheTtlMs + 50);
    const results: [name: string, first: string, second: string][] = [];
    for (const [name, read] of reads) {
      const etag = etags.get(name) ?? '';
      const responses = [
        await read(page.id, { token }),
        await read(page.id, { token, headers: { 'if-none-match': etag } }),
      ];
      const [first, second] = responses.map(describeResponse);
      results.push([name, first!, second!]);
    }
    return results;
  };
  return { personId, membershipId: membership!.id, readAll };
}

/** Lists of /v1 have none. */
const hasEtag = (name: string) => !/^GET .*id\/\w+$/.test(name);

const describeResponse = ({ status, json }: TestResponse): string =>
  json?.errors?.[0]?.extensions.code ?? (json?.error ? `${status} ${json.error}` : String(status));

const mutate = async (field: string) => {
  const { json } = await one.graphql(`mutation { ${field} { __typename } }`);
  expect(json.errors).toBeUndefined();
};

describe('the reads of a personal token follow the rights of its person within a second', () => {
  test('when the role is deleted', async () => {
    const { membershipId, readAll } = await preparePerson();
    await mutate(`deleteMembership(id: "${membershipId}")`);
    expect(await readAll()).toEqual(
      reads.map(([name]) => {
        // The id of a page itself is looked up only for those who have a role somewhere.
        const refusal = name === 'page' ? 'FORBIDDEN' : name.startsWith('GET') ? '404 not_found' : 'NOT_FOUND';
        return [name, refusal, refusal];
      }),
    );
  });

  test('when the role is lowered', async () => {
    const { membershipId, readAll } = await preparePerson();
    await mutate(`updateMembership(id: "${membershipId}", input: { role: VIEWER })`);
    expect(await readAll()).toEqual(
      reads.map(([name, , isOpen]) =>
        isOpen ? [name, '200', hasEtag(name) ? '304' : '200'] : [name, 'FORBIDDEN', 'FORBIDDEN'],
      ),
    );
  });

  test('when the person is disabled', async () => {
    const { personId, readAll } = await preparePerson();
    await mutate(`disablePerson(id: "${personId}")`);
    expect(await readAll()).toEqual(
      reads.map(([name]) => {
        const refusal = name.startsWith('GET') ? '401 unauthenticated' : 'UNAUTHENTICATED';
        return [name, refusal, refusal];
      }),
    );
  });
});
