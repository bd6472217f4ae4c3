import type { Context as KoaContext } from 'koa';
import PQueue from 'p-queue';
import { type AuditOrigin, personOrigin } from '../db/audit.js';
import type { Transaction } from '../db/committed-changes.js';
import { toRefusal } from '../db/database-errors.js';
import { type RunRead, readInTransaction } from '../db/prepared-statements.js';
import { ResponseSize } from '../records/raise-sql.js';
import { Reader } from '../records/reader.js';
import type { FilterNames, OutputMode } from '../records/statement.js';
import { Writer } from '../records/writer.js';
import { Refusal } from '../core/errors.js';
import type { FieldProblems } from '../core/problems.js';
import { type Caller, type IdentifiedCaller, isOfPages, isOwnerOfAllPages } from '../auth/access.js';
import { parseConsoleUrl } from '../core/config.js';
import { Browser } from '../http/browser.js';
import { getRequestId } from '../http/request-id.js';
import { isFromSameOrigin } from '../http/session-cookie.js';
import type { ApiDependencies, Context } from './context.js';
import type { RunIdempotently } from './idempotency.js';
import type { GraphqlContext } from './server.js';
import type { EventRequest } from './subscriptions/plugin.js';

interface ContextOptions {
  api: ApiDependencies;
  caller: Caller;
  outputMode: OutputMode;
  refused?: FieldProblems;
  /** The transaction to read and write in. Without it, each write has its own transaction. */
  within?: Transaction;
  filterNames?: FilterNames;
  /** It is read for an event: after a statement that was not run on a replica. */
  isEvent?: boolean;
  requestId?: string;
  browser?: Browser | null;
}

const pathNames: FilterNames = { name: name => name, separator: '.' };

/** The most records of a list, paged or related: 500 over /v1, 100 over GraphQL. */
const maxSizes: Record<OutputMode, number> = { rest: 500, graphql: 100, execution: 100 };

const megabyte = 1024 * 1024;
/**
 * Of what a response reads: a cost counts records, and a record can have 65,535 characters. The process has it several
 * times, and the memory of the embedded database stays as large as it was once.
 */
const maxBytes = 4 * megabyte;
/**
 * Four responses are made at a time without a token; 25 notices of 65,535 letters fit. And of an event: each caller may
 * follow a page by many documents, and read none of their events.
 */
const maxBytesOfMany = 2 * megabyte;
/** An owner of all pages, such as a program that reads them all, delays others by a third of a second with this. */
const maxBytesOfOwner = 16 * megabyte;

/** Of monthly reports and lists as CSV in a response: a page with 5,000 components has 600,000 or more in a month. */
const maxReportCharacters = 16_000_000;

const findMaxBytes = ({ caller, isEvent }: ContextOptions): number =>
  isEvent || caller.kind === 'anonymous' ? maxBytesOfMany : isOwnerOfAllPages(caller) ? maxBytesOfOwner : maxBytes;

export function createContext(given: ContextOptions): Context {
  const { api, caller, outputMode, refused, within, filterNames = pathNames } = given;
  const { database, authenticator, settings, services } = api;
  const options = {
    caller,
    outputMode,
    filterNames,
    maxListSize: maxSizes[outputMode],
    maxBytes: findMaxBytes(given),
  };
  const callerKey = caller.kind === 'anonymous' ? undefined : caller.key;
  const origin = createOrigin(given);
  const { readAnonymous } = (!given.isEvent && database.replicas) || database;
  const committed =
    caller.kind === 'anonymous' ? readAnonymous : isOfPages(caller) ? database.readOfPages : database.read;
  const run = within ? readWithin(given, within) : outputMode === 'execution' ? readInOrder(committed) : committed;
  const reads = new Map<string, Promise<unknown>>();
  return {
    caller,
    browser: given.browser ?? null,
    database,
    authenticator,
    read: new Reader(database.orm, run, options),
    returned: new ResponseSize(options.maxBytes),
    write: new Writer(database, {
      inputErrors: refused,
      openTransaction: within,
      actor: callerKey,
      origin,
      checkTime: within && createTimeCheck(given),
    }),
    settings,
    services,
    run,
    fromMemory: { objects: 0 },
    inOrder: new PQueue({ concurrency: 1 }),
    reports: { left: maxReportCharacters },
    readOnce<Result>(key: string, read: () => Promise<Result>) {
      const result = reads.get(key) ?? read();
      reads.set(key, result);
      return result as Promise<Result>;
    },
  };
}

/** The mutations of a request with an Idempotency-Key, in which nobody else has the embedded database. */
const maxTransactionMs = 1_000;

export class TransactionTooLong extends Refusal {
  constructor() {
    super(
      'BAD_REQUEST',
      'The mutations of a request with an Idempotency-Key are one transaction, which took longer than a second. ' +
        'Nothing was written. Send fewer at once, or without a key.',
    );
  }
}

function createTimeCheck({ api: { database }, caller }: ContextOptions): (() => void) | undefined {
  if (!database.embedded || !isOfPages(caller)) return undefined;
  const end = performance.now() + maxTransactionMs;
  return () => {
    if (performance.now() > end) throw new TransactionTooLong();
  };
}

function readWithin({ api: { database }, caller }: ContextOptions, within: Transaction): RunRead {
  const read = readInTransaction(within);
  return isOfPages(caller) ? (text, values) => database.yieldInTransaction(() => read(text, values)) : read;
}

/**
 * The standard execution begins all fields of an object at once. A request has one statement at a time, as on the fast
 * path: many together would go before those of all others. After one that found the database unavailable, none is sent.
 */
function readInOrder(read: RunRead): RunRead {
  const inOrder = new PQueue({ concurrency: 1 });
  let outage: unknown;
  return (text, values) =>
    inOrder.add(async () => {
      if (outage) throw outage;
      try {
        return await read(text, values);
      } catch (error) {
        if (toRefusal(error)?.code === 'UNAVAILABLE') outage = error;
        throw error;
      }
    });
}

/** Whom the audit log names. The operation is known when its resolver is called. */
function createOrigin({ caller, outputMode, requestId }: ContextOptions): AuditOrigin {
  if (caller.kind === 'person') return personOrigin(caller.personId, '', requestId ?? null);
  return {
    actorKind: 'token',
    actorId: caller.kind === 'token' ? caller.key : null,
    interface: outputMode === 'rest' ? 'v1' : 'graphql',
    operation: '',
    requestId: requestId ?? null,
  };
}

/** A request to run GraphQL: of whom, and what belongs to it beside the document. */
export interface GraphqlRequest {
  caller: Caller;
  /** Its Idempotency-Key. */
  key?: string;
  progress: GraphqlContext['progress'];
  events?: EventRequest;
}

/** Creates both contexts: the reader of the fast path returns JSON, that of the standard execution returns rows. */
export function createGraphqlContext(
  api: ApiDependencies,
  { req, res }: KoaContext,
  { caller, key, progress, events }: GraphqlRequest,
): GraphqlContext {
  const { settings, rateLimiter } = api;
  const requestId = getRequestId(req);
  const isOwnPage = isFromSameOrigin(req, parseConsoleUrl(settings).origin);
  const browser = isOwnPage ? new Browser(req, res, settings, rateLimiter) : null;
  return {
    ...createContext({ api, caller, outputMode: 'execution', requestId, browser }),
    fastPath: createContext({ api, caller, outputMode: 'graphql', requestId }),
    progress,
    events,
    throttleCost: cost => rateLimiter.throttleCost(req, caller, cost),
    runIdempotently:
      key !== undefined && caller.kind !== 'anonymous' ? createIdempotentRun(api, caller, key, requestId) : undefined,
  };
}

const createIdempotentRun =
  (api: ApiDependencies, caller: IdentifiedCaller, key: string, requestId: string): RunIdempotently =>
  ({ fingerprint, waits }, work) => {
    const scope = { caller: caller.key, path: '/graphql', key, fingerprint };
    const run = (within?: Transaction) =>
      work(createContext({ api, caller, outputMode: 'execution', within, requestId }));
    return waits ? api.idempotentRequests.runOnceThenStore(scope, run) : api.idempotentRequests.runOnce(scope, run);
  };
