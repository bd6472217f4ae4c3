import type pg from 'pg';
import { closeOtherText, type Connection, forgetSubmitted, UnsyncedConnection } from './prepared-query.js';
import type { NamedStatement } from './statement-names.js';

/** A query of pg, with what its client calls for each message of the response. The version of pg is pinned. */
export interface SentQuery extends pg.Query {
  text: string;
  name?: string;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

/** The message with the columns of a result; null where a statement returns no rows. */
type Description = object | null;

/** Of the statements that a connection has prepared, by name. */
const descriptions = new WeakMap<Connection, Map<string, { text: string; description: Description }>>();

function findDescription(connection: Connection, query: SentQuery): Description | undefined {
  const known = query.name === undefined ? undefined : descriptions.get(connection)?.get(query.name);
  return known?.text === query.text ? known.description : undefined;
}

function rememberDescription(connection: Connection, { name, text }: SentQuery, description: Description): void {
  if (name === undefined) return;
  const ofConnection = descriptions.get(connection) ?? new Map();
  descriptions.set(connection, ofConnection.set(name, { text, description }));
}

/**
 * Queries that are sent as one, with a single Sync at their end: PostgreSQL writes their responses together, where it
 * would write each by itself, and skips those after one that fails. All of them must use the extended protocol. The
 * columns of a prepared statement, which cannot change, are asked for once.
 */
export class StatementBatch implements pg.Submittable {
  /** How many are complete: the next one is what PostgreSQL responds to. */
  private complete = 0;
  private description: Description = null;

  constructor(private readonly queries: readonly SentQuery[]) {}

  submit(given: pg.Connection): void {
    const connection = given as Connection;
    connection.stream.cork();
    // Before all others, since one that fails would have it skipped.
    for (const query of this.queries) if (isNamed(query)) closeOtherText(connection, query);
    const unsynced = new UnsyncedConnection(connection);
    for (const query of this.queries) {
      const description = findDescription(connection, query);
      unsynced.isDescribed = description !== undefined;
      if (description) query.handleRowDescription(description);
      query.submit(unsynced as unknown as pg.Connection);
    }
    connection.sync();
    connection.stream.uncork();
    // The responses would be taken for those of other queries.
    if (unsynced.executed !== this.queries.length)
      connection.stream.destroy(new Error('The values of a statement cannot be sent.'));
  }

  /** By name and text pg remembers which statements a connection has prepared. It also asks once all are complete. */
  get name(): string | undefined {
    return this.queries[this.complete]?.name;
  }

  get text(): string | undefined {
    return this.queries[this.complete]?.text;
  }

  handleRowDescription(message: object): void {
    this.description = message;
    this.current.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.current.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    const { current } = this;
    current.handleCommandComplete(message, connection);
    if (findDescription(connection, current) === undefined) rememberDescription(connection, current, this.description);
    this.description = null;
    this.complete += 1;
  }

  handleReadyForQuery(connection: Connection): void {
    for (const query of this.queries) query.handleReadyForQuery(connection);
  }

  /** Also called when the connection is lost. */
  handleError(error: Error, connection: Connection): void {
    for (const [index, query] of this.queries.entries()) {
      if (index < this.complete) query.handleReadyForQuery(connection);
      else query.handleError(error, connection);
      if (index > this.complete && isNamed(query)) forgetSubmitted(connection, query);
    }
  }

  private get current(): SentQuery {
    return this.queries[this.complete]!;
  }
}

const isNamed = (query: SentQuery): query is SentQuery & NamedStatement => query.name !== undefined;
