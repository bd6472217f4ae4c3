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

test('requests that arrive while the same one is in progress get its response', async () => {
  const responses = new AnonymousResponses();
  expect(await responses.respond(newContext(), 'list')).toBe(false);
  const end = responses.begin('list');
  const others = [newContext(), newContext()];
  const answered = Promise.all(others.map(ctx => responses.respond(ctx, 'list')));
  responses.keep(newContext(), 'list', Buffer.from('[]'), reads, performance.now());
  end();
  expect(await answered).toEqual([true, true]);
  expect(others.map(({ status, body }) => [status, String(body)])).toEqual([
    [200, '[]'],
    [200, '[]'],
  ]);
});

test('requests go on by themselves where the one in progress leaves no response, such as an error', async () => {
  const responses = new AnonymousResponses();
  const end = responses.begin('list');
  const answered = responses.respond(newContext(), 'list');
  end();
  expect(await answered).toBe(false);
});

test('a response is kept where its request has come twice within a second', async () => {
  const responses = new AnonymousResponses();
  const keep = () => responses.keep(newContext(), 'list', Buffer.from('[]'), reads, performance.now());
  keep();
  expect(await responses.respond(newContext(), 'list')).toBe(false);
  keep();
  expect(await responses.respond(newContext(), 'list')).toBe(true);
});
