import type { Database, EntityManager } from '../db/connection.js';
import { readWithin } from '../db/prepared-statements.js';
import { Reader, type ReaderOptions } from '../records/reader.js';
import { Writer } from '../records/writer.js';
import type { FieldMessages } from '../core/errors.js';
import type { Caller } from '../auth/access.js';
import type { Context } from './context.js';

interface Session {
  database: Database;
  caller: Caller;
  purpose: ReaderOptions['purpose'];
  refused?: FieldMessages;
  /** The transaction to read and write in; without it reads see what is committed, and each write is a transaction of its own. */
  within?: EntityManager;
}

/** How long lists may be: over /v1 up to 500, in the graph up to 100, by page and as related records alike. */
const longest: Record<ReaderOptions['purpose'], number> = { rest: 500, graph: 100, execution: 100 };

export function contextOf({ database, caller, purpose, refused, within }: Session): Context {
  const options = { caller, purpose, longestList: longest[purpose], longestPage: longest[purpose] };
  const by = caller.kind === 'token' ? caller.key : undefined;
  const committed = caller.kind === 'token' ? database.read : database.readForStranger;
  return {
    caller,
    read: new Reader(database.orm, within ? readWithin(within) : committed, options),
    write: new Writer(database, refused, within, by),
  };
}
