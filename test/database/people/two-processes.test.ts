import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Service } from '../../../src/server/service.js';
import { openEvents } from '../../support/event-stream.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { createPrivatePage, type PrivatePage, setVisibility } from '../../support/private-pages.js';
import { startSecondService } from '../../support/second-service.js';
import { startTestService, type TestService } from '../../support/service.js';
import { requestPage } from '../../support/visitor.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

/** The embedded database belongs to one process. */
const describeOnPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

describeOnPostgres('Another process on the same database', () => {
  let service: TestService;
  let other: Service;
  let page: PrivatePage;
  let owner: SignedInPerson;
  beforeAll(async () => {
    service = await startTestService({ publicUrl: peopleOrigin });
    other = (await startSecondService(service, { publicUrl: peopleOrigin }))!;
    page = await createPrivatePage(service, { visibility: 'MEMBERS' });
    owner = await signIn(service);
  });
  afterAll(async () => {
    await other?.stop();
    await service.stop();
  });

  const askOther = (path: string, headers: Record<string, string>, body?: object) =>
    fetch(`http://127.0.0.1:${other.port}${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  test('refuses sessions, personal tokens and private pages of a person who is disabled', async () => {
    const person = await signIn(service, 'owner', [page.id]);
    const made = await askAs(
      service,
      person,
      `mutation { createToken(input: { label: "x", role: OWNER, pageIds: ["${page.id}"] }) { secret } }`,
    );
    const token = made.data.createToken.secret;
    const { cookie } = person;
    const read = {
      session: async () => {
        const answer = await askOther('/graphql', { cookie, origin: peopleOrigin }, { query: '{ viewer { kind } }' });
        return ((await answer.json()) as { data: { viewer: { kind: string } } }).data.viewer.kind;
      },
      token: async () => (await askOther(`/v1/pages/${page.id}`, { authorization: `Bearer ${token}` })).status,
      page: async () => (await askOther(`/status/${page.id}/`, { cookie })).status,
    };
    await waitUntilEqual(read.session, 'PERSON');
    await waitUntilEqual(read.token, 200);
    await waitUntilEqual(read.page, 200);
    await askAs(service, owner, `mutation { disablePerson(id: "${person.personId}") { person { id } } }`);
    await waitUntilEqual(read.session, 'ANONYMOUS');
    await waitUntilEqual(read.token, 401);
    await waitUntilEqual(read.page, 403);
  });

  test('ends the streams of a person whose role is taken away', async () => {
    const person = await signIn(service, 'viewer', [page.id]);
    const url = `http://127.0.0.1:${other.port}`;
    const query = `subscription { pageChanged(pageId: "${page.id}") { cursor } }`;
    const streams = [
      await openEvents(`${url}/status/${page.id}/events`, { headers: { cookie: person.cookie } }),
      await openEvents(`${url}/graphql`, {
        method: 'POST',
        headers: {
          cookie: person.cookie,
          origin: peopleOrigin,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query }),
      }),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    expect((await streams[1]!.next())!.json.data.pageChanged.cursor).toMatch(/./);
    const [membership] = await service.database.query<{ id: number }>(
      'select id from membership where person_id = $1',
      [person.personId],
    );
    await askAs(service, owner, `mutation { deleteMembership(id: "${membership!.id}") { deletedId } }`);
    expect(await streams[0]!.next()).toBeNull();
    expect((await streams[1]!.next())!.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await streams[1]!.next())!.event).toBe('complete');
    expect(await streams[1]!.next()).toBeNull();
  });

  test('ends the streams of visitors whose password or domain is no longer that of the page', async () => {
    const secret = { visibility: 'PASSWORD', password: 'correct horse battery' };
    const locked = await createPrivatePage(service, secret);
    const answer = await requestPage(
      `http://127.0.0.1:${other.port}`,
      new URL(peopleOrigin).host,
      `/status/${locked.id}/access`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password: secret.password }).toString(),
      },
    );
    const cookie = answer.headers['set-cookie']![0]!.split(';')[0]!;
    const stream = await openEvents(`http://127.0.0.1:${other.port}/status/${locked.id}/events`, {
      headers: { cookie, host: new URL(peopleOrigin).host },
    });
    expect(stream.status).toBe(200);
    await setVisibility(service, locked.id, { ...secret, password: 'another horse' });
    expect(await stream.next()).toBeNull();
  });

  test('takes a code that leads to the host of a page once', async () => {
    const { cookie } = await signIn(service, 'viewer', [page.id]);
    const site = new URL(peopleOrigin).host;
    const led = await requestPage(service.url, site, `/status/${page.id}/access?enter=1`, { headers: { cookie } });
    const target = new URL(String(led.headers.location));
    const urls = [service.url, `http://127.0.0.1:${other.port}`];
    const answers = await Promise.all(
      [...urls, ...urls].map(url => requestPage(url, target.host, `${target.pathname}${target.search}`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 403, 403, 403]);
  });
});
