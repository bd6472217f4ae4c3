import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSignInCode } from '../../../src/auth/session.service.js';
import { PageStore } from '../../../src/status-page/server/page-store.js';
import { countAlive } from '../../support/collect-garbage.js';
import { openEvents } from '../../support/event-stream.js';
import { createNotice } from '../../support/factories.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { createPrivatePage, type PrivatePage, setVisibility } from '../../support/private-pages.js';
import { startTestService, type TestService } from '../../support/service.js';
import { requestPage, type VisitorResponse, waitForResponse } from '../../support/visitor.js';

/** What was ended once stays ended, also where the same right is given again; and streams end with it. */

let service: TestService;
let mail: MailServer;
let owner: SignedInPerson;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startTestService({ publicUrl: peopleOrigin, smtpUrl: mail.url, mailFrom: 'status@example.com' });
  owner = await signIn(service);
});
afterAll(async () => {
  await service.stop();
  await mail.stop();
});

const siteHost = new URL(peopleOrigin).host;
const visit = (page: PrivatePage, path: string, options?: Parameters<typeof requestPage>[3]) =>
  requestPage(service.url, `${page.id}.${siteHost}`, `/${path}`, options);
const visitByPath = (page: PrivatePage, path: string, cookie: string) =>
  requestPage(service.url, siteHost, `/status/${page.id}/${path}`, { headers: { cookie } });
const cookieOf = ({ headers }: VisitorResponse) => headers['set-cookie']?.[0]?.split(';')[0] ?? '';
const see = async (page: PrivatePage, cookie: string) => (await visit(page, '', { headers: { cookie } })).status;
const run = async (mutation: string) => {
  const json = await askAs(service, owner, `mutation { ${mutation} }`);
  expect(json.errors).toBeUndefined();
  return json.data;
};
const invite = ({ email }: SignedInPerson, pageId: string, role = 'VIEWER') =>
  run(
    `invitePerson(input: { email: "${email}", role: ${role}, pageIds: ["${pageId}"] }) { person { memberships { id } } }`,
  );
const signInAgain = async ({ personId }: SignedInPerson) => {
  const code = await createSignInCode(service.database, personId);
  const response = await service.call('POST', `/sign-in/${code}`, { token: null, headers: { origin: peopleOrigin } });
  return response.headers.get('set-cookie')!.split(';')[0]!;
};
const findMembership = async ({ personId }: SignedInPerson) =>
  (await service.database.query<{ id: number }>('select id from membership where person_id = $1', [personId]))[0]!.id;

interface Access {
  cookie: string;
  /** The path of a feed, with its key. */
  feed: string;
}
const readFeed = async (page: PrivatePage, cookie: string) =>
  /href="[^"]*\/(feed\.atom\?key=[^"]+)"/.exec((await visit(page, 'access', { headers: { cookie } })).text)![1]!;
const getCode = async (page: PrivatePage, cookie: string) => {
  const { location } = (await visitByPath(page, 'access?enter=1', cookie)).headers;
  const { pathname, search } = new URL(String(location));
  return `${pathname.slice(1)}${search}`;
};
/** What a member has at the host of the page itself. */
const enter = async (page: PrivatePage, person: SignedInPerson): Promise<Access> => {
  const cookie = cookieOf(await visit(page, await getCode(page, person.cookie)));
  return { cookie, feed: await readFeed(page, cookie) };
};
const waitUntilRefused = (page: PrivatePage, { cookie }: Access) =>
  waitForResponse(
    () => visit(page, '', { headers: { cookie } }),
    ({ status }) => status === 403,
  );

describe('The cookie and the feed key of a member', () => {
  test.each<[string, (person: SignedInPerson, page: PrivatePage) => Promise<unknown>]>([
    ['was disabled', ({ personId }) => run(`disablePerson(id: "${personId}") { person { id } }`)],
    ['has lost the role', async person => run(`deleteMembership(id: "${await findMembership(person)}") { deletedId }`)],
  ])('who %s do not work again after another invitation', async (_, end) => {
    const page = await createPrivatePage(service, { visibility: 'MEMBERS' });
    const person = await signIn(service, 'viewer', [page.id]);
    const access = await enter(page, person);
    expect([await see(page, access.cookie), (await visit(page, access.feed)).status]).toEqual([200, 200]);
    await end(person, page);
    await waitUntilRefused(page, access);
    await invite(person, page.id);
    const again = await signInAgain(person);
    await waitForResponse(
      () => visitByPath(page, '', again),
      ({ status }) => status === 200,
    );
    expect([await see(page, access.cookie), (await visit(page, access.feed)).status]).toEqual([403, 403]);
  });

  test('whose role is changed go on, since the membership stays', async () => {
    const page = await createPrivatePage(service, { visibility: 'MEMBERS' });
    const person = await signIn(service, 'viewer', [page.id]);
    const access = await enter(page, person);
    const membership = await findMembership(person);
    await invite(person, page.id, 'PUBLISHER');
    await run(`updateMembership(id: "${membership}", input: { role: DRAFTER }) { person { id } }`);
    expect(await findMembership(person)).toBe(membership);
    expect([await see(page, access.cookie), (await visit(page, access.feed)).status]).toEqual([200, 200]);
  });
});

async function waitForCode(email: string): Promise<string> {
  const deadline = Date.now() + 10_000;
  const find = () => mail.mails.find(({ to }) => to.includes(email));
  while (!find() && Date.now() < deadline) await service.graphql('{ viewer { kind } }');
  return /^Subject: (\d{8})/m.exec(find()!.raw)![1]!;
}

test('The cookie of an address does not work again when its domain is removed and added again', async () => {
  const page = await createPrivatePage(service, {
    visibility: 'EMAIL_DOMAIN',
    emailDomains: ['a.example', 'b.example'],
  });
  const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    visit(page, 'access', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const prove = async (email: string): Promise<Access> => {
    const asked = await submit({ email });
    expect(asked.status).toBe(200);
    const code = await waitForCode(email);
    const cookie = cookieOf(await submit({ email, code }, { cookie: cookieOf(asked) }));
    return { cookie, feed: await readFeed(page, cookie) };
  };
  const removed = await prove('ann@a.example');
  const kept = await prove('bob@b.example');
  await setVisibility(service, page.id, { visibility: 'EMAIL_DOMAIN', emailDomains: ['b.example'] });
  await waitUntilRefused(page, removed);
  // It ends when the page knows the domain again.
  const stream = await openEvents(`${service.url}/status/${page.id}/events?key=${kept.feed.split('=')[1]}`);
  await setVisibility(service, page.id, { visibility: 'EMAIL_DOMAIN', emailDomains: ['a.example', 'b.example'] });
  expect([stream.status, await stream.next()]).toEqual([200, null]);
  const again = await prove('cid@a.example');
  expect(await see(page, again.cookie)).toBe(200);
  for (const [access, expected] of [
    [removed, 403],
    [kept, 200],
  ] as const)
    expect([await see(page, access.cookie), (await visit(page, access.feed)).status]).toEqual([expected, expected]);
});

describe('The code that leads to the host of a page', () => {
  test('lets one browser in, and not by HEAD', async () => {
    const page = await createPrivatePage(service, { visibility: 'MEMBERS' });
    const path = await getCode(page, owner.cookie);
    expect((await visit(page, path, { method: 'HEAD' })).status).toBe(403);
    const answers = await Promise.all(Array.from({ length: 5 }, () => visit(page, path)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403, 403, 403, 403]);
    expect((await visit(page, path)).status).toBe(403);
    expect((await visit(page, await getCode(page, owner.cookie))).status).toBe(303);
  });
});

describe('The event stream of a page for members', () => {
  const open = (page: PrivatePage, cookie: string) =>
    openEvents(`${service.url}/status/${page.id}/events`, { headers: { cookie } });

  test.each<[string, (person: SignedInPerson) => Promise<unknown>]>([
    ['the person is disabled', ({ personId }) => run(`disablePerson(id: "${personId}") { person { id } }`)],
    [
      'the role is taken away',
      async person => run(`deleteMembership(id: "${await findMembership(person)}") { deletedId }`),
    ],
    [
      'the session ends',
      async ({ personId }) => {
        const [session] = await service.database.query<{ id: number }>('select id from session where person_id = $1', [
          personId,
        ]);
        await run(`revokeSession(id: "${session!.id}") { sessionId }`);
      },
    ],
  ])('ends when %s, and no other', async (_, end) => {
    const page = await createPrivatePage(service, { visibility: 'MEMBERS' });
    const person = await signIn(service, 'viewer', [page.id]);
    const stream = await open(page, person.cookie);
    const other = await open(page, owner.cookie);
    expect([stream.status, other.status]).toEqual([200, 200]);
    await end(person);
    expect(await stream.next()).toBeNull();
    await createNotice(service, `/v1/pages/${page.id}`, { subject: 'Slow' });
    expect((await other.next())!.data).toMatch(/^\d+$/);
    other.close();
  });

  test('ends when the page is no longer for members', async () => {
    const page = await createPrivatePage(service, { visibility: 'MEMBERS' });
    const stream = await open(page, owner.cookie);
    await setVisibility(service, page.id, { visibility: 'PASSWORD', password: 'correct horse' });
    expect(await stream.next()).toBeNull();
  });
});

test('streams of private pages keep none of the versions of the page at which they were opened', async () => {
  const page = await createPrivatePage(service, { visibility: 'MEMBERS' });
  const generations: WeakRef<object>[] = [];
  const { setGeneration } = PageStore.prototype;
  PageStore.prototype.setGeneration = function (generation) {
    generations.push(new WeakRef(generation));
    setGeneration.call(this, generation);
  };
  const streams = [];
  try {
    for (let number = 0; number < 10; number++) {
      const url = `${service.url}/status/${page.id}/events`;
      const stream = await openEvents(url, { headers: { cookie: owner.cookie } });
      streams.push(stream);
      await createNotice(service, `/v1/pages/${page.id}`, { subject: 'Slow' });
      expect(await stream.next()).not.toBeNull();
    }
  } finally {
    PageStore.prototype.setGeneration = setGeneration;
  }
  expect(generations.length).toBeGreaterThanOrEqual(10);
  expect(await countAlive(generations)).toBeLessThan(5);
  for (const stream of streams) stream.close();
});
