import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import { createPage } from '../../support/factories.js';
import { peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { toCounts } from '../../support/saved-answers.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createStatuspageAnswers } from '../../support/statuspage-answers.js';
import { lastLine, sendFiles, toUpload } from '../../support/transfers.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

let [service, other]: TestService[] = [];
let owner: SignedInPerson;
const settings = { publicUrl: peopleOrigin };
beforeAll(async () => {
  service = await startTestService(settings);
  other = await startTestService(settings);
});
afterAll(async () => {
  await service!.stop();
  await other!.stop();
});
beforeEach(async () => {
  owner = await signIn(service!);
});

const answers = toUpload(createStatuspageAnswers({ components: 4, incidents: 8, subscribers: 20 }));
const statuspage = { from: 'statuspage' };
const post = (path: string, { cookie }: SignedInPerson, headers = {}) =>
  fetch(`${service!.url}${path}`, {
    method: 'POST',
    headers: { cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream', ...headers },
  });
const countPages = async ({ database }: TestService = service!) =>
  (await database.query<{ n: number }>('select count(*)::int as n from page'))[0]!.n;
/** The folders of uploads that have a file of this name. */
const findUploads = (name: string) =>
  readdirSync(tmpdir())
    .filter(folder => folder.startsWith('all-clear-upload-') && folder.includes(`-${process.pid}-`))
    .filter(folder => existsSync(join(tmpdir(), folder, name)));

test('a page moves here from files, leaves as an archive, and arrives elsewhere', async () => {
  const pages = await countPages();
  const tried = lastLine(await sendFiles(service!, owner, statuspage, answers)).result;
  expect([tried.dryRun, tried.pageId, await countPages()]).toEqual([true, null, pages]);
  const { result } = lastLine(await sendFiles(service!, owner, { ...statuspage, dryRun: 'false' }, answers));
  expect(toCounts(result)).toEqual(toCounts(tried));
  expect(result.kinds[1]).toMatchObject({ kind: 'notice', created: 8 });
  const entries = await service!.database.query(
    `select distinct operation, interface, actor from audit_entry where page_id = $1`,
    [result.pageId],
  );
  expect(entries).toContainEqual({ operation: 'importPage', interface: 'console', actor: owner.email });
  expect(await service!.database.query('select 1 from publication where page_id = $1', [result.pageId])).toEqual([]);

  const exported = await post(`/console/export?page=${result.pageId}`, owner);
  expect(exported.headers.get('content-disposition')).toBe(`attachment; filename="${result.pageId}.zip"`);
  const archive = Buffer.from(await exported.arrayBuffer());
  const [entry] = await service!.database.query(`select actor from audit_entry where operation = 'exportPage'`);
  expect(entry).toEqual({ actor: owner.email });

  const newOwner = await signIn(other!);
  const files = { 'archive.zip': archive };
  const dryRun = lastLine(await sendFiles(other!, newOwner, { from: 'archive' }, files)).result;
  expect(dryRun).toMatchObject({ dryRun: true, rows: { notices: 8, subscribers: 20 } });
  expect(await countPages(other)).toBe(0);
  const write = { from: 'archive', dryRun: 'false' };
  const imported = lastLine(await sendFiles(other!, newOwner, write, files)).result;
  expect(imported).toMatchObject({ dryRun: false, pages: [{ id: result.pageId }] });
  expect(await countPages(other)).toBe(1);
  const { error } = lastLine(await sendFiles(other!, newOwner, write, files));
  expect(error.code).toBe('CONFLICT');
  expect(error.message).toContain(`pages with the id ${result.pageId}`);
});

test('a client that leaves during an export takes no slot with it, and no file stays on the disk', async () => {
  const pages = [await createPage(service!), await createPage(service!)];
  const usual = tmpdir();
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'exports-'));
  let begin = () => {};
  let proceed: Promise<unknown> = Promise.resolve();
  const withoutTimeLimit: Database['withoutTimeLimit'] = async work => {
    begin();
    await proceed;
    return service!.database.withoutTimeLimit(work);
  };
  const slow = await startTestService(settings, { database: { ...service!.database, withoutTimeLimit } });
  const headers = { cookie: owner.cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' };
  const [url, another] = pages.map(({ id }) => `${slow.url}/console/export?page=${id}`);
  for (const left of [url, another]) {
    const hasBegun = new Promise<void>(resolve => (begin = resolve));
    const client = request(left!, { method: 'POST', headers }).on('error', () => {});
    client.end();
    // By the response to another request the service has seen that the client left.
    proceed = hasBegun.then(() => client.destroy()).then(() => slow.get('/healthz'));
    await proceed;
  }
  await waitUntilEqual(async () => (await fetch(url!, { method: 'POST', headers })).status, 200);
  await slow.stop();
  await waitUntilEqual(async () => readdirSync(tmpdir()), []);
  process.env.TMPDIR = usual;
});

describe('An upload over a slow line', () => {
  let slow: TestService;
  beforeAll(async () => {
    const bodyLimitOptions = { whole: 300, pause: 400 };
    slow = await startTestService(settings, { database: service!.database, bodyLimitOptions });
  });
  afterAll(() => slow.stop());
  const body = gzipSync(answers['page.json'] as string);
  /** Sends a body in parts, with a pause between them. Resolves to the status; 0: the connection was closed. */
  const send = (path: string, headers: Record<string, string>, pauseMs: number): Promise<number> =>
    new Promise(resolve => {
      const client = request(`${slow.url}${path}`, { method: 'POST', headers }, response => {
        response.resume();
        resolve(response.statusCode!);
      }).on('error', () => resolve(0));
      const parts = [0, 1, 2, 3, 4].map(index =>
        body.subarray((index * body.length) / 5, ((index + 1) * body.length) / 5),
      );
      const sendNext = () => {
        const part = parts.shift();
        if (!part) return void client.end();
        client.write(part);
        setTimeout(sendNext, pauseMs);
      };
      sendNext();
    });
  const path = `/console/import?from=statuspage&file=page.json:${Buffer.byteLength(answers['page.json'] as string)}`;
  const asPerson = (cookie: string) => ({ cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' });

  test('takes as long as it needs, from those who may import', async () => {
    expect(await send(path, asPerson(owner.cookie), 100)).toBe(200);
  });

  test('ends with a long pause', async () => {
    expect(await send(path, asPerson(owner.cookie), 2_000)).toBe(0);
  });

  test('has the limit of all others elsewhere', async () => {
    expect(await send('/graphql', { 'content-type': 'application/json' }, 100)).toBe(408);
  });
});

test('HTML that takes long to convert holds up no other request, and ends when the client leaves', async () => {
  const { id } = await createPage(service!);
  const text = '<ol><li>x</li></ol>'.repeat(5_000).slice(0, 99_000);
  const updates = Array.from({ length: 60 }, (_, index) => ({ id: `u${index}`, status: 'investigating', body: text }));
  const [incident] = JSON.parse(answers['incidents.json'] as string) as { incident_updates: unknown[] }[];
  const incidents = JSON.stringify([{ ...incident, incident_updates: updates }]);
  let isOver = false;
  const client = new AbortController();
  const query = new URLSearchParams({
    ...statuspage,
    page: id,
    file: `incidents.json:${Buffer.byteLength(incidents)}`,
  });
  const imported = fetch(`${service!.url}/console/import?${query}`, {
    method: 'POST',
    headers: { cookie: owner.cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(gzipSync(incidents)),
    signal: client.signal,
  })
    .then(response => response.text())
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  for (let request = 0; request < 100; request++) expect((await service!.get('/healthz')).status).toBe(200);
  expect(isOver).toBe(false);
  client.abort();
  await imported;
});

test('imports into one page that do not arrive leave a slot to other pages', async () => {
  const [{ id }, another] = [await createPage(service!), await createPage(service!)];
  const ofPage = await signIn(service!, 'owner', [id]);
  const headers = { cookie: ofPage.cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' };
  const path = `/console/import?from=statuspage&page=${id}&file=page.json:1000`;
  const clients = [1, 2].map(() =>
    request(`${service!.url}${path}`, { method: 'POST', headers }).on('error', () => {}),
  );
  for (const client of clients) client.write('x');
  const [refused] = (await Promise.race(clients.map(client => once(client, 'response')))) as [{ statusCode: number }];
  expect(refused.statusCode).toBe(503);
  const exportOther = async () => {
    const response = await post(`/console/export?page=${another.id}`, owner);
    await response.arrayBuffer();
    return response.status;
  };
  await waitUntilEqual(exportOther, 200);
  for (const client of clients) client.destroy();
  await waitUntilEqual(async () => (await post(`/console/export?page=${id}`, owner)).status, 200);
});

test('a passphrase that does not come holds no slot for those who may not export', async () => {
  const { id } = await createPage(service!);
  const viewer = await signIn(service!, 'viewer', [id]);
  for (let time = 0; time < 3; time++) {
    const headers = { cookie: viewer.cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' };
    const client = request(`${service!.url}/console/export?page=${id}&file=passphrase:20`, { method: 'POST', headers });
    const [response] = await Promise.race([once(client.flushHeaders() ?? client, 'response'), once(client, 'error')]);
    expect((response as { statusCode: number }).statusCode).toBe(403);
    client.destroy();
  }
});

test('a second import into the page adds nothing, and no file stays on the disk', async () => {
  const { id } = await createPage(service!);
  const query = { ...statuspage, page: id, dryRun: 'false' };
  const name = `unknown-${id}.json`;
  const files = { ...answers, [name]: '{}' };
  await sendFiles(service!, owner, query, files);
  const { result } = lastLine(await sendFiles(service!, owner, query, files));
  expect(toCounts(result)).toMatchObject({ notice: [0, 0, 8, 0], subscriber: [0, 0, 20, 0] });
  expect(findUploads(name)).toEqual([]);
});

describe('is refused', () => {
  const importAs = async (person: SignedInPerson, query: Record<string, string>, files = answers) => {
    const response = await sendFiles(service!, person, query, files);
    return [response.status, lastLine(response).error?.code];
  };

  test('to those who do not own the page, and a new page to those who do not own all', async () => {
    const own = await createPage(service!);
    const foreign = await createPage(service!);
    const limited = await signIn(service!, 'owner', [own.id]);
    const publisher = await signIn(service!, 'publisher', [own.id]);
    const write = { ...statuspage, dryRun: 'false' };
    expect(await importAs(limited, { ...write, page: own.id })).toEqual([200, undefined]);
    expect(await importAs(limited, { ...write, page: foreign.id })).toEqual([404, 'NOT_FOUND']);
    expect(await importAs(limited, write)).toEqual([403, 'FORBIDDEN']);
    expect(await importAs(limited, { from: 'archive' })).toEqual([403, 'FORBIDDEN']);
    for (const from of ['uptime-kuma', 'kener', 'openstatus'])
      expect(await importAs(limited, { from, page: own.id })).toEqual([403, 'FORBIDDEN']);
    expect(await importAs(publisher, { ...write, page: own.id })).toEqual([403, 'FORBIDDEN']);
    expect((await post(`/console/export?page=${own.id}`, limited)).status).toBe(200);
    expect((await post(`/console/export?page=${foreign.id}`, limited)).status).toBe(404);
    expect((await post(`/console/export?page=${own.id}`, publisher)).status).toBe(403);
    expect((await post('/console/export?page=12345678', owner)).status).toBe(404);
  });

  test('without a session, from another origin, and to a token', async () => {
    const { id } = await createPage(service!);
    const path = `/console/export?page=${id}`;
    for (const headers of [{ cookie: '' }, { origin: 'https://evil.example' }, { 'content-type': 'text/plain' }])
      expect([headers, (await post(path, owner, headers)).status]).toEqual([headers, 401]);
    const authorization = `Bearer ${service!.tokens.write}`;
    expect((await post(path, owner, { cookie: '', authorization })).status).toBe(403);
  });

  test('an archive and its export, where the sign-in is not recent', async () => {
    const { id } = await createPage(service!);
    const late = await signIn(service!);
    await service!.database.query(`update session set created_at = now() - interval '1 hour' where person_id = $1`, [
      late.personId,
    ]);
    const exported = await post(`/console/export?page=${id}`, late);
    expect((await exported.json()).error.message).toMatch(/^Sign in again/);
    expect(await importAs(late, { from: 'archive' })).toEqual([403, 'FORBIDDEN']);
  });

  test('a body that ends in the middle, which leaves the process alive', async () => {
    const ended = await new Promise(done => {
      const client = request(
        `${service!.url}/console/import?${new URLSearchParams({ ...statuspage, file: 'page.json:9' })}`,
        {
          method: 'POST',
          headers: {
            cookie: owner.cookie,
            origin: peopleOrigin,
            'content-type': 'application/octet-stream',
            'content-length': '10000',
          },
        },
      );
      client
        .on('error', () => done('closed'))
        .on('response', response => response.resume().on('close', () => done('answered')));
      client.write('x'.repeat(5_000));
    });
    expect(['closed', 'answered']).toContain(ended);
    expect((await service!.get('/healthz')).status).toBe(200);
  });

  test('a body that is not as announced, and names that are paths', async () => {
    const pages = await countPages();
    const send = async (files: Record<string, string>, body?: Buffer) => {
      const response = await sendFiles(service!, owner, { ...statuspage, dryRun: 'false' }, files, { body });
      return [response.status, lastLine(response).error.message];
    };
    const page = { 'page.json': '{}' };
    expect(await send(page, Buffer.from('{}'))).toEqual([
      400,
      'The body is not compressed by gzip, or was not sent to its end.',
    ]);
    expect(await send(page, gzipSync('{} and more'))).toEqual([400, 'The body is longer than its files.']);
    expect(await send(page, gzipSync('{'))).toEqual([400, 'The body is shorter than its files.']);
    expect((await send({ '../page.json': '{}' }))[0]).toBe(400);
    expect((await send({ 'readme.json': '{}' }))[1]).toMatch(/^The upload has none of the files page\.json/);
    expect((await send({ 'page.json': '{' }))[1]).toMatch(/^page\.json is not JSON/);
    const lists = `${'['.repeat(101)}${']'.repeat(101)}`;
    expect((await send({ 'page.json': lists }))[1]).toMatch(/^page\.json has more than 100 levels/);
    const objects = `[${'{},'.repeat(1_500_001)}{}]`;
    expect((await send({ 'page.json': objects }))[1]).toMatch(/^page\.json has more than 3,000,000 values/);
    const components = Array.from({ length: 5_001 }, (_, id) => ({ id: String(id), name: 'A component' }));
    expect((await send({ 'page.json': '{"name":"A page"}', 'components.json': JSON.stringify(components) }))[1]).toBe(
      'A page has at most 5,000 components.',
    );
    const texts = JSON.stringify({ id: 'p', text: '[{,"'.repeat(1_000_000) });
    expect((await send({ 'page.json': texts }))[1]).not.toMatch(/has more than/);
    const response = await service!.call('POST', '/console/import?from=statuspage&file=page.json:99999999999', {
      token: null,
      headers: { cookie: owner.cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' },
    });
    expect([response.status, response.json.error.message]).toEqual([
      413,
      'The files have more than 64 MB: use allclear import.',
    ]);
    expect(await countPages()).toBe(pages);
  });
});

describe('An API', () => {
  const source = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const name = request.url!.split('?')[0]!.split('/').at(-1)!;
    response.end(
      request.headers.authorization === 'Bearer secret'
        ? (answers[`${name === 'page1' ? 'page' : name}.json`] ?? '[]')
        : '[]',
    );
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>(resolve => source.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(source.address() as { port: number }).port}`;
  });
  afterAll(() => void source.close());
  const read = async (query: object) =>
    lastLine(
      await sendFiles(service!, owner, { from: 'instatus', sourcePage: 'page1', url, ...query }, { token: 'secret' }),
    );

  test('of a private address is not asked', async () => {
    expect((await read({})).error.message).toMatch(/cannot be reached: Only https URLs are allowed/);
    expect((await read({ url: url.replace('http:', 'https:') })).error.message).toMatch(/is not a public address/);
    expect((await read({ url: 'file:///etc/passwd' })).error.message).toMatch(/must begin with https/);
  });

  test('is asked with the token where private addresses are allowed', async () => {
    service!.settings.allowPrivateTargets = true;
    const line = await read({});
    service!.settings.allowPrivateTargets = false;
    expect(line.error).toBeUndefined();
    expect(line.result).toMatchObject({ source: 'Instatus', dryRun: true });
  });

  test('has no more values in all of its answers than a file', async () => {
    let asked = 0;
    const hostile = createServer((request, response) => {
      asked += 1;
      const { pathname, searchParams } = new URL(request.url!, url);
      const row = (index: number) =>
        `{"id":"${searchParams.get('page')}-${index}","values":[${'{},'.repeat(10_000)}0]}`;
      if (!pathname.endsWith('/components')) return response.end('{"id":"page1","name":"x"}');
      response.end(`[${Array.from({ length: 100 }, (_, index) => row(index)).join()}]`);
    });
    await new Promise<void>(resolve => hostile.listen(0, '127.0.0.1', resolve));
    service!.settings.allowPrivateTargets = true;
    const line = await read({ url: `http://127.0.0.1:${(hostile.address() as { port: number }).port}` }).finally(() => {
      service!.settings.allowPrivateTargets = false;
      hostile.closeAllConnections();
      hostile.close();
    });
    expect(line.error.message).toMatch(/^What was read until http.* has more than 3,000,000 values/);
    expect(asked).toBe(3);
  });
});
