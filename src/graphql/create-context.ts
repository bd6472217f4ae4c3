import { type AuditOrigin, personOrigin } from '../db/audit.js';
import type { EntityManager } from '../db/database.js';
import { readInTransaction } from '../db/prepared-statements.js';
import { Reader } from '../records/reader.js';
import type { FilterNames, OutputMode } from '../records/statement.js';
import { Writer } from '../records/writer.js';
import type { FieldProblems } from '../core/problems.js';
import type { Caller } from '../auth/access.js';
import type { Browser } from '../http/browser.js';
import type { ApiDependencies, Context } from './context.js';

interface ContextOptions {
  api: ApiDependencies;
  caller: Caller;
  outputMode: OutputMode;
  refused?: FieldProblems;
  /** The transaction to read and write in. Without it, each write has its own transaction. */
  within?: EntityManager;
  filterNames?: FilterNames;
  /** Its reads follow a statement that was not run on a replica. */
  readsPrimary?: boolean;
  requestId?: string;
  browser?: Browser | null;
}

const pathNames: FilterNames = { name: name => name, separator: '.' };

/** The most records of a list, paged or related: 500 over /v1, 100 over GraphQL. */
const maximumSizes: Record<OutputMode, number> = { rest: 500, graphql: 100, execution: 100 };

export function createContext(given: ContextOptions): Context {
  const { api, caller, outputMode, refused, within, filterNames = pathNames } = given;
  const { database, authenticator, settings, services } = api;
  const options = { caller, outputMode, filterNames, maximumListSize: maximumSizes[outputMode] };
  const callerKey = caller.kind === 'anonymous' ? undefined : caller.key;
  const origin = createOrigin(given);
  const { readAnonymous } = (!given.readsPrimary && database.replicas) || database;
  const committed = caller.kind === 'anonymous' ? readAnonymous : database.read;
  const run = within ? readInTransaction(within) : committed;
  const reads = new Map<string, Promise<unknown>>();
  return {
    caller,
    browser: given.browser ?? null,
    database,
    authenticator,
    read: new Reader(database.orm, run, options),
    write: new Writer(database, { inputErrors: refused, openTransaction: within, actor: callerKey, origin }),
    settings,
    services,
    run,
    fromMemory: { objects: 0 },
    readOnce<Result>(key: string, read: () => Promise<Result>) {
      const result = reads.get(key) ?? read();
      reads.set(key, result);
      return result as Promise<Result>;
    },
  };
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
