import pg from 'pg';
import type { NamedStatement } from './statement-names.js';

/** What pg keeps of a connection: the text by the name of each statement that was prepared on it. */
interface Connection extends pg.Connection {
  parsedStatements: Record<string, string>;
  /** Those that were sent and not yet acknowledged. */
  submittedNamedStatements: Record<string, string>;
  close(message: { type: 'S'; name: string }): void;
}

/**
 * Creates a query that prepares its statement on the connection that it is sent on, unless the connection has it. Where
 * the name stands for another text there, that is closed (deallocated) in the same round trip; pg itself would refuse.
 *
 * The only use of pg's `parsedStatements`, which is not documented. The version of pg is pinned, and
 * test/database/prepared-statements.test.ts checks the statements that PostgreSQL has.
 */
export function createPreparedQuery(statement: NamedStatement, values: unknown[]): pg.Query {
  const query = new pg.Query({ ...statement, values });
  const submit = query.submit.bind(query);
  query.submit = connection => {
    closeOtherText(connection as Connection, statement);
    // The error that it returns is how pg learns that it could not send.
    return submit(connection);
  };
  return query;
}

function closeOtherText(connection: Connection, { name, text }: NamedStatement): void {
  const prepared = connection.parsedStatements[name] ?? connection.submittedNamedStatements[name];
  if (prepared === undefined || prepared === text) return;
  connection.close({ type: 'S', name });
  delete connection.parsedStatements[name];
  delete connection.submittedNamedStatements[name];
}
