/** The few messages of PostgreSQL's protocol that the embedded database writes and reads outside of its thread. */
const typeOf = (letter: string) => letter.charCodeAt(0);

export const parse = typeOf('P');
export const terminate = typeOf('X');
/** Messages after which PostgreSQL responds: Query, Sync and Flush. */
export const responseTriggers: ReadonlySet<number> = new Set(['Q', 'S', 'H'].map(typeOf));

/** AuthenticationOk and ReadyForQuery: the response to the startup message of a trusted client. */
export const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

const message = (type: string, body: string): Buffer => {
  const buffer = Buffer.alloc(5 + Buffer.byteLength(body));
  buffer.write(type);
  buffer.writeInt32BE(buffer.length - 1, 1);
  buffer.write(body, 5);
  return buffer;
};

const createQuery = (text: string): Buffer => message('Q', `${text}\0`);

/** Ends what a connection left behind in the session: its transaction, and its prepared statements. */
export const createReset = (statements: Iterable<string>): Buffer =>
  Buffer.concat([
    createQuery('rollback'),
    ...Array.from(statements, name => message('C', `S${name}\0`)),
    message('S', ''),
  ]);

export const readStatementName = (parseMessage: Buffer): string =>
  parseMessage.toString('utf8', 5, parseMessage.indexOf(0, 5));

const readyLength = 6;
const isReady = (message: Uint8Array): boolean =>
  Buffer.compare(message.subarray(0, 5), welcome.subarray(-6, -1)) === 0;

/**
 * Removes a second ReadyForQuery from the end of a response: PGlite sends two after an error. A client that has sent
 * several requests would take it for the response to the next one.
 */
export function removeRepeatedReady(response: Uint8Array): Uint8Array {
  const isRepeated =
    isReady(response.subarray(-readyLength)) && isReady(response.subarray(-2 * readyLength, -readyLength));
  return isRepeated ? response.subarray(0, -readyLength) : response;
}

/** ReadyForQuery with the status idle, which ends a response outside of a transaction. */
const idle = welcome.subarray(-6);

/** Whether the next request must be of the same connection. */
export const isInTransaction = (response: Uint8Array): boolean => idle.compare(response.subarray(-6)) !== 0;
