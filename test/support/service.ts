import type { AddressInfo } from 'node:net';
import { createApp, createFront } from '../../src/server/app.js';
import type { Database } from '../../src/db/connection.js';
import { createGraphServer } from '../../src/graphql/server.js';
import { createToken } from '../../src/auth/token.service.js';
import { People } from '../../src/status-page/subscribe/subscribe-handler.js';
import { type DirectSender, noSender } from '../../src/subscribers/confirmation-sender.js';
import { PageCache } from '../../src/status-page/server/page-cache.js';
import { openTestDatabase } from './database.js';

export interface Answer {
  status: number;
  headers: Headers;
  /** The bytes as text. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into is what it asserts
  json: any;
}

export interface Request {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form, as it is. */
  form?: string;
  /** Sent as it is, with the content type of `headers`. */
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** Null: without a token. Absent: with the write token. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** A running service with real HTTP on a free port and a database of its own. */
export interface TestService {
  url: string;
  database: Database;
  tokens: { write: string; read: string };
  call(method: string, path: string, request?: Request): Promise<Answer>;
  get(path: string, request?: Request): Promise<Answer>;
  post(path: string, json?: unknown, request?: Request): Promise<Answer>;
  patch(path: string, json?: unknown, request?: Request): Promise<Answer>;
  delete(path: string, request?: Request): Promise<Answer>;
  /** POST /graphql; the answer's `json` is `{ data, errors }`. */
  graphql(query: string, variables?: Record<string, unknown>, request?: Request): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startTestService({ sender = noSender }: { sender?: DirectSender } = {}): Promise<TestService> {
  const database = await openTestDatabase();
  const graph = createGraphServer();
  await graph.start();
  const cache = new PageCache(database, null);
  await cache.open(database);
  const people = new People(sender);
  people.open(database);
  const server = createFront(cache, createApp(database, graph), people);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tokens = {
    write: await createToken(database, 'write', 'write'),
    read: await createToken(database, 'read', 'read'),
  };

  async function call(
    method: string,
    path: string,
    { json, form, body, token = tokens.write, headers = {} }: Request = {},
  ): Promise<Answer> {
    const type =
      json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(type && { 'content-type': type }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: json !== undefined ? JSON.stringify(json) : (form ?? body),
      redirect: 'manual',
    });
    const text = await answer.text();
    const isJson = (answer.headers.get('content-type') ?? '').includes('json');
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: isJson && text ? JSON.parse(text) : undefined,
    };
  }

  return {
    url,
    database,
    tokens,
    call,
    get: (path, request) => call('GET', path, request),
    post: (path, json, request) => call('POST', path, { json, ...request }),
    patch: (path, json, request) => call('PATCH', path, { json, ...request }),
    delete: (path, request) => call('DELETE', path, request),
    graphql: (query, variables, request) => call('POST', '/graphql', { json: { query, variables }, ...request }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
      await people.close();
      await graph.stop();
      await cache.close();
      await database.close();
    },
  };
}
