import { Refusal } from '../core/errors.js';

/** Down, shutting down, out of connections, or no longer the primary: codes of PostgreSQL, and of sockets in Node. */
const unavailableCodes =
  /^(08...|57P0[1235]|25P03|25006|53...|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOENT)$/;
/** The codes of Node's TLS for a certificate that it refuses, and for a handshake that fails. */
export const certificateCodes =
  /^(ERR_TLS_CERT_.*|CERT_.*|(DEPTH_ZERO_)?SELF_SIGNED_.*|UNABLE_TO_(GET|VERIFY)_.*|INVALID_(CA|PURPOSE))$/;
export const handshakeCodes = /^(EPROTO|ERR_SSL_.*)$/;
/** Of the driver, for a server without TLS. */
export const noTlsMessage = 'The server does not support SSL connections';
/** Of the driver, which gives these errors no code. */
const unavailableMessages = new RegExp(
  [
    'Connection terminated',
    'server closed the connection',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error',
    'Client was closed',
    'Query read timeout',
    noTlsMessage,
    'There was an error establishing an SSL connection',
  ].join('|'),
  'i',
);
/** The disk is full: of a server, or of this process. */
const diskFullCodes = /^(53100|ENOSPC)$/;
export const isDiskFull = (error: { code?: unknown }): boolean => diskFullCodes.test(String(error.code ?? ''));

/** Serialization failure, deadlock, lock timeout: the same request may succeed when repeated. */
const retryableCodes = /^(40001|40P01|55P03)$/;
/** Of a statement that was ended: its time was over, or on the embedded database others waited for it. */
const canceled = '57014';
/** Another transaction took the value, or deleted the record, between our check and our write. */
const conflictCodes = /^(23505|23503)$/;

/** The memory of the database does not suffice for a statement: the same one would fail again. */
const outOfMemory = '53200';

export const databaseUnavailable = () =>
  new Refusal('UNAVAILABLE', 'The database is unavailable. Try again in a moment.', { retryAfter: 5 });

/** Returns the refusal for an error of the database. Undefined for one that is a defect of the service. */
export function toRefusal(error: unknown): Refusal | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Refusal) return cause;
    if (isDiskFull(cause as { code?: unknown }))
      return new Refusal('UNAVAILABLE', 'The disk of the database is full. Nothing was written.', { retryAfter: 30 });
    const code = String((cause as { code?: unknown }).code ?? '');
    if (code === outOfMemory)
      return new Refusal(
        'UNAVAILABLE',
        'The database has too little memory for this request. Ask for fewer records or fields, or send fewer at once.',
        { retryAfter: 30 },
      );
    const isUnavailable = [unavailableCodes, certificateCodes, handshakeCodes].some(codes => codes.test(code));
    if (isUnavailable || unavailableMessages.test(cause.message)) return databaseUnavailable();
    if (code === canceled)
      return new Refusal(
        'UNAVAILABLE',
        'The request takes the database too long. Try again in a moment, or ask for fewer records or fields.',
        { retryAfter: 1 },
      );
    if (retryableCodes.test(code))
      return new Refusal('UNAVAILABLE', 'Another request is in progress. Try again.', { retryAfter: 1 });
    if (conflictCodes.test(code))
      return new Refusal('CONFLICT', 'Another request changed the same record at the same time.');
    if (cause instanceof AggregateError) {
      const inner = cause.errors.map(toRefusal).find(Boolean);
      if (inner) return inner;
    }
  }
  return undefined;
}
