import { expect, test } from '@jest/globals';
import type { Context } from 'koa';
import { AnonymousResponses } from '../../../src/http/anonymous-responses.js';
import type { PageReads } from '../../../src/records/page-reads.js';

const reads = { isComplete: true, pageIds: new Set(['1']) } as PageReads;
const newContext = () =>
  ({
    get: () => '',
    set() {},
    response: { get: (name: string) => (name === 'ETag' ? '"a"' : '') },
  }) as unknown as Context;

/** Responses of a page of which `version` is read. */
function createResponses() {
  const page = { version: 1 };
  const responses = new AnonymousResponses({ read: async () => String(page.version) });
  /** Answers as an endpoint does; returns whether it had to read the data. */
  async function request(ctx = newContext(), respond = async () => {}): Promise<boolean> {
    const begun = await responses.begin(ctx, 'list');
    if (!begun) return false;
    const body = Buffer.from(`version ${page.version}`);
    await respond();
    begun.keep(ctx, body, reads);
    begun.end();
    return true;
  }
  return { page, responses, request };
}

test('a response is cached where its request has come twice within a second', async () => {
  const { request } = createResponses();
  expect([await request(), await request(), await request()]).toEqual([true, true, false]);
});

test('requests that arrive while the same one is in progress get its response', async () => {
  const { request } = createResponses();
  await request();
  const { promise, resolve } = Promise.withResolvers<void>();
  const contexts = [newContext(), newContext()];
  const first = request(newContext(), () => promise);
  const others = contexts.map(ctx => request(ctx));
  resolve();
  expect([await first, ...(await Promise.all(others))]).toEqual([true, false, false]);
  expect(contexts.map(({ status, body }) => [status, String(body)])).toEqual([
    [200, 'version 1'],
    [200, 'version 1'],
  ]);
});

test('of requests that arrive during the first one, one reads what the others get', async () => {
  const { request } = createResponses();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = request(newContext(), () => promise);
  const others = [1, 2, 3].map(() => request());
  resolve();
  expect([await first, ...(await Promise.all(others))]).toEqual([true, true, false, false]);
});

test('of many requests beside changes, one at a time reads what those get that waited before it', async () => {
  const { page, request } = createResponses();
  let running = 0;
  let most = 0;
  const respond = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    page.version += 1;
    running -= 1;
  };
  await Promise.all(Array.from({ length: 50 }, () => request(newContext(), respond)));
  const read = await Promise.all(Array.from({ length: 50 }, () => request(newContext(), respond)));
  expect([most, read.filter(Boolean).length]).toEqual([1, 1]);
});

test('a request that arrives after a change does not get a response whose data was read before', async () => {
  const { page, request } = createResponses();
  await request();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = request(newContext(), () => promise);
  // Let the first one read its data.
  await new Promise(setImmediate);
  page.version = 2;
  const other = request();
  resolve();
  expect([await first, await other]).toEqual([true, true]);
});

test('requests go on by themselves where the one in progress leaves no response, such as an error', async () => {
  const { responses } = createResponses();
  const first = await responses.begin(newContext(), 'list');
  const other = responses.begin(newContext(), 'list');
  first!.end();
  expect(await other).not.toBeNull();
});

test('a response of more pages than are compared is not cached', async () => {
  const { responses } = createResponses();
  const pageIds = new Set(Array.from({ length: 11 }, (_, index) => String(index)));
  for (let time = 0; time < 3; time++) {
    const begun = await responses.begin(newContext(), 'list');
    expect(begun).not.toBeNull();
    begun!.keep(newContext(), Buffer.from('[]'), { isComplete: true, pageIds } as PageReads);
    begun!.end();
  }
});
