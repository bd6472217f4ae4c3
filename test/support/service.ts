import { afterAll, beforeAll } from '@jest/globals';
import type { Authenticator } from '../../src/auth/authenticator.js';
import { scopes } from '../../src/auth/token.service.js';
import type { Settings } from '../../src/core/config.js';
import type { Logger } from '../../src/core/logger.js';
import type { Database } from '../../src/db/database.js';
import type { BodyLimitOptions } from '../../src/http/body-limits.js';
import type { FirstAccess } from '../../src/server/first-access.js';
import { openChannels } from '../../src/server/open-channels.js';
import { createService } from '../../src/server/service.js';
import type { ConfirmationSender } from '../../src/subscribers/confirmation-sender.js';
import { openTestDatabase } from './database.js';
import { createTestSettings, withChannels } from './settings.js';
import { createToken } from './tokens.js';

export interface TestResponse {
  status: number;
  headers: Headers;
  /** The body as text. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they access
  json: any;
}

export interface TestRequest {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as an urlencoded form, unchanged. */
  form?: string;
  /** Sent unchanged, with the content type in `headers`. */
  body?: string | Uint8Array<ArrayBuffer> | FormData;
  /** Null: no token. Absent: the write token. */
  token?: string | null;
  headers?: Record<string, string>;
}

/** A running service with real HTTP on a free port and its own database. */
export interface TestService {
  url: string;
  /** Those of the service; a test may change them while it runs. */
  settings: Settings;
  database: Database;
  authenticator: Authenticator;
  tokens: { write: string; read: string };
  /** Only with an empty `bootstrapToken`. */
  firstAccess: FirstAccess | undefined;
  call(method: string, path: string, request?: TestRequest): Promise<TestResponse>;
  get(path: string, request?: TestRequest): Promise<TestResponse>;
  post(path: string, json?: unknown, request?: TestRequest): Promise<TestResponse>;
  patch(path: string, json?: unknown, request?: TestRequest): Promise<TestResponse>;
  delete(path: string, request?: TestRequest): Promise<TestResponse>;
  /** POST /graphql; `json` of the response is `{ data, errors }`. */
  graphql(query: string, variables?: Record<string, unknown>, request?: TestRequest): Promise<TestResponse>;
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** Other processes of the tests keep the machine busy. What is refused under overload is tested with an `Admission` alone. */
const idle = { connections: Number.POSITIVE_INFINITY };

interface TestServiceOptions {
  sender?: ConfirmationSender;
  log?: Logger;
  /** That of another service, which closes it. */
  database?: Database;
  bodyLimitOptions?: Partial<BodyLimitOptions>;
}

/** Starts a service with the default settings, but for `overrides`; without a worker and automation unless they say so. */
export async function startTestService(
  overrides: Partial<Settings> = {},
  { sender, log, database: shared, bodyLimitOptions }: TestServiceOptions = {},
): Promise<TestService> {
  const database = shared ? { ...shared, close: async () => {} } : await openTestDatabase(overrides, log);
  const settings = createTestSettings(overrides);
  const service = await createService(settings, {
    database,
    load: idle,
    bodyLimitOptions,
    channels: sender && { ...openChannels(settings), confirmationSender: sender },
  });
  const url = `http://127.0.0.1:${service.port}`;
  const tokens = {
    write: await createToken(database, 'write', scopes.write),
    read: await createToken(database, 'read', scopes.read),
  };

  async function call(
    method: string,
    path: string,
    { json, form, body, token = tokens.write, headers = {} }: TestRequest = {},
  ): Promise<TestResponse> {
    const type =
      json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(type && { 'content-type': type }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: json !== undefined ? JSON.stringify(json) : (form ?? body),
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text ? JSON.parse(text) : undefined,
    };
  }

  return {
    url,
    settings,
    database,
    authenticator: service.authenticator,
    tokens,
    firstAccess: service.firstAccess,
    call,
    get: (path, request) => call('GET', path, request),
    post: (path, json, request) => call('POST', path, { json, ...request }),
    patch: (path, json, request) => call('PATCH', path, { json, ...request }),
    delete: (path, request) => call('DELETE', path, request),
    graphql: (query, variables, request) => call('POST', '/graphql', { json: { query, variables }, ...request }),
    drain: service.drain,
    stop: service.stop,
  };
}

/**
 * The services that the test files of this process share, by a name; modules of test/support are evaluated once a test
 * file. A worker of Jest ends with them, and the global teardown stops those of Jest's own process and drops their
 * databases.
 */
const shared = globalThis as { sharedTestServices?: Map<string, Promise<TestService>> };

function createSharedServices(): Map<string, Promise<TestService>> {
  // Jest has no hook for the end of a worker; it listens to the process that started it until then.
  process.on('removeListener', event => {
    if (event === 'message' && process.listenerCount('message') === 0) process.exit();
  });
  return new Map();
}

/** Returns the service with this name, which is started for the first test file that needs it. */
export function shareService(name: string, start: () => Promise<TestService>): Promise<TestService> {
  shared.sharedTestServices ??= createSharedServices();
  const service =
    shared.sharedTestServices.get(name) ??
    start().then(started => {
      Object.freeze(started.settings);
      return started;
    });
  shared.sharedTestServices.set(name, service);
  return service;
}

/**
 * The running service of this process, with channels of notifications. It has the records of the test files before: a
 * test sees its own by its page. A file that reads what is not of a page, changes settings, counts statements or runs a
 * worker has a service of its own.
 */
export function useService(): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await shareService('service', () => startTestService(withChannels)));
  });
  return service;
}

/** Starts a service before the tests of the calling file or `describe`, and stops it after them. */
export function useOwnService(overrides: Partial<Settings> = {}): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    Object.assign(service, await startTestService(overrides));
  });
  afterAll(() => stopAndClear(service));
  return service;
}

/** The module of a test file is never unloaded, and would keep the stopped service in memory. */
export async function stopAndClear(service: TestService): Promise<void> {
  await service.stop();
  for (const name of Object.keys(service)) delete service[name as keyof TestService];
}
