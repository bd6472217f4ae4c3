import { request as send } from 'node:http';
import { expect, test } from '@jest/globals';
import { createSignInCode } from '../../../src/auth/session.service.js';
import { InvalidSettings, readSettings } from '../../../src/core/config.js';
import { serviceOrigin } from '../../../src/db/audit.js';
import { invitePerson } from '../../../src/people/person.service.js';
import { createSignInLink } from '../../../src/people/sign-in-link.js';
import { Writer } from '../../../src/records/writer.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const consoleUrl = 'https://console.example.org';
const service = useOwnService({ publicUrl: 'https://status.example.com', consoleUrl });

/** With a Host header, which fetch does not send. */
function request(host: string, path: string, { body = '', ...headers }: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const outgoing = send(
      `${service.url}${path}`,
      { method: body ? 'POST' : 'GET', headers: { host, ...headers } },
      response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
      },
    );
    outgoing.on('error', reject).end(body);
  });
}
const locationAt = async (host: string, path: string) => {
  const { status, headers } = await request(host, path);
  return [status, headers.location];
};
const invite = () =>
  new Writer(service.database, { origin: serviceOrigin('command', 'test') }).transaction(unit =>
    invitePerson(unit, 'anna@example.com', 'owner', null),
  );

test('is at its host alone, to which the base host leads', async () => {
  const { id } = await createPage(service, { name: 'Meridian Freight' });
  expect((await request('console.example.org', '/console/new/incident')).text).toContain('<div id="root">');
  expect(await locationAt('console.example.org', '/')).toEqual([302, '/console/']);
  expect(await locationAt('status.example.com', '/console/tokens?a=b')).toEqual([
    302,
    `${consoleUrl}/console/tokens?a=b`,
  ]);
  expect(await locationAt('status.example.com', '/sign-in?to=/console/')).toEqual([
    302,
    `${consoleUrl}/sign-in?to=/console/`,
  ]);
  for (const host of [`${id}.status.example.com`, 'status.other.example'])
    expect((await request(host, '/console/')).text).not.toContain('<div id="root">');
  expect((await request('status.example.com', '/')).text).toContain('Meridian Freight');
});

test('has the sessions and passkeys of people', async () => {
  const personId = await invite();
  expect(await createSignInLink(service.database, service.settings, personId)).toMatch(`${consoleUrl}/sign-in/`);
  const path = `/sign-in/${await createSignInCode(service.database, personId)}`;
  const elsewhere = await request('console.example.org', path, { origin: 'https://status.example.com', body: 'a=b' });
  expect(elsewhere.status).toBe(403);
  const signedIn = await request('console.example.org', path, { origin: consoleUrl, body: 'a=b' });
  const [cookie] = /^[^;]+/.exec(String(signedIn.headers['set-cookie']))!;
  const ask = (origin: string, query: string) =>
    request(new URL(origin).host, '/graphql', {
      origin,
      cookie,
      'content-type': 'application/json',
      body: JSON.stringify({ query }),
    }).then(({ text }) => JSON.parse(text));
  const viewer = '{ viewer { person { email } } }';
  expect((await ask(consoleUrl, viewer)).data.viewer.person).toEqual({ email: 'anna@example.com' });
  expect((await ask('https://status.example.com', viewer)).data.viewer.person).toBeNull();
  const { data } = await ask(consoleUrl, 'mutation { requestPasskeyRegistration { options } }');
  expect(data.requestPasskeyRegistration.options.rp.id).toBe('console.example.org');
});

test('cannot be claimed by a page, nor be the host of one', async () => {
  const { id } = await createPage(service);
  const mutation = `mutation ($id: ID!, $domain: String!) {
    setCustomDomain(pageId: $id, input: { domain: $domain }) { userErrors { message } } }`;
  const { json } = await service.graphql(mutation, { id, domain: 'Console.Example.org' });
  expect(json.data.setCustomDomain.userErrors[0].message).toContain('must not be the host of the console');
  const publicUrl = 'https://status.example.com';
  for (const wrong of ['https://2017f84a.status.example.com', 'http://console.example.org'])
    expect(() => readSettings({ PUBLIC_URL: publicUrl, CONSOLE_URL: wrong })).toThrow(InvalidSettings);
  expect(readSettings({ PUBLIC_URL: publicUrl, CONSOLE_URL: consoleUrl }).consoleUrl).toBe(consoleUrl);
});
