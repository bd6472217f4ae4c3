import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { openEvents, type TestStream } from '../../support/event-stream.js';
import { createNotice, createPage } from '../../support/factories.js';
import { startTestService, useService } from '../../support/service.js';

const service = useService();
const streams: TestStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(id: string, query = '', headers: Record<string, string> = {}): Promise<TestStream> {
  const stream = await openEvents(`${service.url}/status/${id}/events${query}`, { headers });
  streams.push(stream);
  return stream;
}
const getPage = async (id: string) => (await service.get(`/status/${id}/`, { token: null })).text;

test('a stream tells when its page has changed, and the page then shows it', async () => {
  const page = await createPage(service);
  await getPage(page.id);
  const stream = await open(page.id);
  expect(stream.status).toBe(200);
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  await createNotice(service, page.path, { subject: 'Slow search' });
  expect(await stream.next()).toMatchObject({ id: '2', event: undefined, data: '2' });
  expect(await getPage(page.id)).toContain('Slow search');
  await service.patch(page.path, { name: 'Renamed' });
  expect((await stream.next())!.id).toBe('3');
});

test('more clients than one batch get each change, and the last one is the latest', async () => {
  const page = await createPage(service);
  await getPage(page.id);
  const opened = await Promise.all(Array.from({ length: 600 }, () => open(page.id)));
  for (const name of ['One', 'Two', 'Three']) await service.patch(page.path, { name });
  const lastIds = opened.map(async stream => {
    let id: string | undefined;
    while (id !== '4') id = (await stream.next())!.id;
    return id;
  });
  expect(new Set(await Promise.all(lastIds))).toEqual(new Set(['4']));
});

test.each([
  ['Last-Event-ID', (id: string): [string, Record<string, string>] => ['', { 'last-event-id': id }]],
  ['the parameter after', (id: string): [string, Record<string, string>] => [`?after=${id}`, {}]],
])('a client that returns with %s gets what it missed at once, and nothing twice', async (_, resume) => {
  const page = await createPage(service);
  await service.patch(page.path, { name: 'Missed' });
  expect((await (await open(page.id, ...resume('1'))).next())!.id).toBe('2');
  const current = await open(page.id, ...resume('2'));
  await service.patch(page.path, { name: 'Later' });
  expect((await current.next())!.id).toBe('3');
});

test('all streams of a page cost one load of its snapshot', async () => {
  const page = await createPage(service);
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(page.id)));
  const { read } = service.database;
  let loads = 0;
  service.database.read = (text, values) => {
    if (text.includes('"changeCount"') && values[0] === page.id) loads += 1;
    return read(text, values);
  };
  try {
    await service.patch(page.path, { name: 'Once' });
    for (const stream of opened) expect((await stream.next())!.id).toBe('2');
  } finally {
    service.database.read = read;
  }
  expect(loads).toBe(1);
});

test('a stream is served on the host of its page', async () => {
  const page = await createPage(service);
  const request = get(`${service.url}/events?after=0`, { headers: { host: `${page.id}.localhost` }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('data: 1\n\n')) break;
  }
  expect(text).toContain('id: 1\ndata: 1\n\n');
});

test('a stream ends when its page is deleted, and cannot be opened again', async () => {
  const page = await createPage(service);
  const stream = await open(page.id);
  await service.delete(page.path);
  expect(await stream.next()).toBeNull();
  expect((await service.get(`/status/${page.id}/events`, { token: null })).status).toBe(404);
});

test('the path accepts GET and preflights only', async () => {
  const { id } = await createPage(service);
  const post = await service.call('POST', `/status/${id}/events`, { token: null });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
  expect((await service.call('OPTIONS', `/status/${id}/events`, { token: null })).status).toBe(204);
});

test('half of the connections can be streams, so that the page stays available', async () => {
  const small = await startTestService({ maxConnections: 6 });
  const opened: TestStream[] = [];
  try {
    const { id } = await createPage(small);
    const url = `${small.url}/status/${id}/events`;
    for (let count = 0; count < 3; count++) opened.push(await openEvents(url));
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    const refused = await small.get(`/status/${id}/events`, { token: null });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect((await small.get(`/status/${id}/`, { token: null })).status).toBe(200);
  } finally {
    for (const stream of opened) stream.close();
    await small.stop();
  }
});

test('a service that stops ends its streams at once', async () => {
  const other = await startTestService();
  const { id } = await createPage(other);
  const stream = await openEvents(`${other.url}/status/${id}/events`);
  const stopped = other.stop();
  expect(await stream.next()).toBeNull();
  await stopped;
});
