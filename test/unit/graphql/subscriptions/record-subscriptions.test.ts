import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Caller } from '../../../../src/auth/access.js';
import { toGrants } from '../../../../src/auth/roles.js';
import { RecordSubscriptions, type Subscription } from '../../../../src/graphql/subscriptions/record-subscriptions.js';
import type { EventBroker } from '../../../../src/http/event-broker.js';
import type { ChangeFeed } from '../../../../src/db/change-feed.js';
import type { Database } from '../../../../src/db/database.js';

let cursor: string;
let reads: string[];
let onRead: (name: string) => void;
let wait: (ms: number) => void;
let subscriptions: RecordSubscriptions;
let feed: EventEmitter;
beforeEach(() => {
  let now = 0;
  wait = ms => (now += ms);
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((callback: () => void) => setImmediate(callback)) as unknown as typeof setTimeout);
  cursor = '1';
  reads = [];
  onRead = () => {};
  feed = new EventEmitter();
  const watched = new Map<string, { cursor: string | null }>();
  const broker = {
    open: (key: string) => watched.set(key, { cursor: null }),
    isWatched: () => true,
    getWatchers: (key: string) => [watched.get(key)!],
    publish: (key: string, published: string) => watched.set(key, { cursor: published }),
  };
  subscriptions = new RecordSubscriptions({
    broker: broker as unknown as EventBroker,
    database: { query: async () => [{ cursor, pageId: 'a' }] } as unknown as Database,
    feed: feed as ChangeFeed,
    authenticate: async () => callerOf('a'),
    formatError: () => ({ message: '' }),
  });
});
afterEach(() => {
  subscriptions.close();
  jest.restoreAllMocks();
});

const callerOf = (page: string): Caller => ({
  kind: 'token',
  key: `token of ${page}`,
  grants: toGrants([{ pageId: page, role: 'viewer' }]),
});

const source = { cursorSql: 'select', parameters: () => [], isOfAllPages: true };
const subscriber = { cursor: null, dataEvent: 'next', authorization: 'Bearer x', network: '192.0.2.1' } as const;

/** Each read of a document takes this long. */
function open(page: string, name: string, readMs: number): void {
  const read: Subscription['read'] = async () => {
    reads.push(name);
    onRead(name);
    wait(readMs);
    return { text: '{}', errors: [] };
  };
  subscriptions.open({ source, args: {}, key: name, caller: callerOf(page), read }, {} as ServerResponse, subscriber);
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise(done => setImmediate(done));
}

test('the documents of a page and those of another are read in turns', async () => {
  for (const name of ['a1', 'a2', 'a3']) open('a', name, 0);
  open('b', 'b1', 0);
  await settle();
  reads = [];
  cursor = '2';
  feed.emit('changed', { pageId: 'a' });
  await settle();
  expect(reads.indexOf('b1')).toBeLessThan(2);
  expect(reads.filter(name => name !== 'b1')).toEqual(['a1', 'a2', 'a3']);
});

test('what has changed meanwhile is read before all documents that take long have been read', async () => {
  open('b', 'b', 0);
  for (let number = 1; number <= 9; number++) open('a', `slow ${number}`, 300);
  await settle();
  expect(new Set(reads).size).toBe(10);
  reads = [];
  onRead = name => {
    if (name !== 'slow 2' || cursor === '3') return;
    cursor = '3';
    feed.emit('changed', { pageId: 'a' });
  };
  cursor = '2';
  feed.emit('changed', { pageId: 'a' });
  await settle();
  expect(reads.filter(name => name === 'b')).toHaveLength(2);
  expect(reads.lastIndexOf('b')).toBeLessThan(9);
  expect(new Set(reads.slice(3)).size).toBe(10);
});

test('callers with a role on one page leave half of the documents that may follow a record to others', () => {
  for (let number = 1; number <= 250; number++) open('a', `a${number}`, 0);
  expect(() => open('a', 'one more', 0)).toThrow('Too many different documents');
  open('b', 'b', 0);
});
