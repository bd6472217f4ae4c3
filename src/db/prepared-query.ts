import pg from 'pg';
import type { NamedStatement } from './statement-names.js';

/** What pg keeps of a connection: the text by the name of each statement that was prepared on it. */
interface StatementsOfConnection {
  parsedStatements: Record<string, string>;
  /** Those that were sent and not yet acknowledged. */
  submittedNamedStatements: Record<string, string>;
}

/** The messages that a query sends. */
export interface Connection extends pg.Connection, StatementsOfConnection {
  parse(message: unknown): void;
  bind(message: unknown): void;
  describe(message: unknown): void;
  execute(message: unknown): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** The values of its parameters, and how its result is parsed. */
export type QueryOptions = Pick<pg.QueryConfig, 'values' | 'types'> & {
  binary?: boolean;
  queryMode?: 'extended';
};

/** A query of pg, whose types declare its method as a property. */
const Query = pg.Query as unknown as new (
  config: pg.QueryConfig,
) => { submit(connection: pg.Connection): Error | null };

/**
 * A query that prepares its statement on the connection that it is sent on, unless the connection has it. Where the
 * name stands for another text there, that is closed (deallocated) in the same round trip; pg itself would refuse.
 *
 * A class, since V8 kept the result of a query with a `submit` of its own until a full garbage collection: all
 * responses of reads were promoted to the old generation.
 *
 * This file is the only one that uses pg's `parsedStatements`, which is not documented. The version of pg is pinned,
 * and test/database/prepared-statements.test.ts checks the statements that PostgreSQL has.
 */
export class PreparedQuery extends Query {
  constructor(
    private readonly statement: NamedStatement,
    options: QueryOptions,
  ) {
    super({ ...statement, ...options });
  }

  /** The error that it returns is how pg learns that it could not send. */
  override submit(connection: pg.Connection): Error | null {
    closeOtherText(connection as Connection, this.statement);
    return super.submit(connection);
  }
}

/** Closes the statement that has this name, unless it has this text. */
export function closeOtherText(connection: Connection, { name, text }: NamedStatement): void {
  const prepared = connection.parsedStatements[name] ?? connection.submittedNamedStatements[name];
  if (prepared === undefined || prepared === text) return;
  connection.close({ type: 'S', name });
  delete connection.parsedStatements[name];
  delete connection.submittedNamedStatements[name];
}

/** For a statement that was sent, and that PostgreSQL has skipped: the connection has not prepared it. */
export function forgetSubmitted(connection: Connection, { name }: NamedStatement): void {
  delete connection.submittedNamedStatements[name];
}

/**
 * A connection for queries that are sent together: none of them sends the Sync that it would end with, nor asks for the
 * columns of a result that are known.
 */
export class UnsyncedConnection implements StatementsOfConnection {
  /** Queries cork a stream that can be. */
  readonly stream = {};
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  executed = 0;
  isDescribed = false;

  constructor(private readonly connection: Connection) {
    this.parsedStatements = connection.parsedStatements;
    this.submittedNamedStatements = connection.submittedNamedStatements;
  }

  parse(message: unknown): void {
    this.connection.parse(message);
  }

  bind(message: unknown): void {
    this.connection.bind(message);
  }

  describe(message: unknown): void {
    if (!this.isDescribed) this.connection.describe(message);
  }

  execute(message: unknown): void {
    this.executed += 1;
    this.connection.execute(message);
  }

  /** Called where the values cannot be bound, after which the query has failed. */
  close(): void {}

  sync(): void {}
}
