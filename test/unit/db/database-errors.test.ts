import { expect, test } from '@jest/globals';
import { toRefusal } from '../../../src/db/database-errors.js';
import { badRequest } from '../../../src/core/errors.js';

const createError = (code: string, message = 'a message of the driver') => Object.assign(new Error(message), { code });
const summarize = (error: unknown) => {
  const refusal = toRefusal(error);
  return refusal && [refusal.code, refusal.details.retryAfter];
};

const unavailable = ['UNAVAILABLE', 5];
const retryable = ['UNAVAILABLE', 1];
const conflict = ['CONFLICT', undefined];

test.each<[name: string, code: string, refusal: unknown[]]>([
  ['a connection that was closed', '08006', unavailable],
  ['a connection that could not be established', '08001', unavailable],
  ['a connection terminated by an administrator', '57P01', unavailable],
  ['a server that crashed', '57P02', unavailable],
  ['a server that is starting', '57P03', unavailable],
  ['an idle session timeout', '57P05', unavailable],
  ['a transaction that was idle for too long', '25P03', unavailable],
  ['too many connections', '53300', unavailable],
  ['too little memory of the server', '53200', ['UNAVAILABLE', 30]],
  ['a full disk of the server', '53100', ['UNAVAILABLE', 30]],
  ['a full disk of the process', 'ENOSPC', ['UNAVAILABLE', 30]],
  ['a port on which nothing listens', 'ECONNREFUSED', unavailable],
  ['a connection reset by the server', 'ECONNRESET', unavailable],
  ['an unknown host name', 'ENOTFOUND', unavailable],
  ['a temporary failure of DNS', 'EAI_AGAIN', unavailable],
  ['a connection timeout', 'ETIMEDOUT', unavailable],
  ['a write to a closed socket', 'EPIPE', unavailable],
  ['a Unix socket that does not exist', 'ENOENT', unavailable],
  ['a certificate that expired', 'CERT_HAS_EXPIRED', unavailable],
  ['a certificate for another host', 'ERR_TLS_CERT_ALTNAME_INVALID', unavailable],
  ['a certificate of an unknown authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', unavailable],
  ['a certificate that signed itself', 'DEPTH_ZERO_SELF_SIGNED_CERT', unavailable],
  ['a TLS handshake that fails', 'EPROTO', unavailable],
  ['a serialization failure', '40001', retryable],
  ['a deadlock', '40P01', retryable],
  ['a lock timeout', '55P03', retryable],
  ['a statement timeout', '57014', retryable],
  ['a unique violation', '23505', conflict],
  ['a foreign key violation', '23503', conflict],
])('%s (%s) becomes a refusal', (_name, code, refusal) => {
  expect(summarize(createError(code))).toEqual(refusal);
  expect(summarize(new Error('a query failed', { cause: createError(code) }))).toEqual(refusal);
  expect(toRefusal(createError(code, 'secret'))!.message).toMatch(/^[A-Z][^$]*\.$/);
});

test.each([
  'Connection terminated unexpectedly',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client was closed and is not queryable',
  'server closed the connection unexpectedly',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
])("the driver's error without a code becomes UNAVAILABLE: %s", message => {
  expect(summarize(new Error(message))).toEqual(unavailable);
});

test('an aggregate error is a refusal when one of its errors is', () => {
  expect(summarize(new AggregateError([createError('EACCES'), createError('ECONNREFUSED')]))).toEqual(unavailable);
  expect(summarize(new AggregateError([createError('EACCES')]))).toBeUndefined();
});

test('a refusal is returned unchanged', () => {
  const refusal = badRequest('No.');
  expect(toRefusal(refusal)).toBe(refusal);
  expect(toRefusal(new Error('x', { cause: refusal }))).toBe(refusal);
});

test.each(['42601', '42P01', '22003', '23502', '23514', '25P02', '57P04', '0A000', ''])(
  'an error code of a defect is no refusal: %s',
  code => {
    expect(toRefusal(createError(code))).toBeUndefined();
  },
);

test.each([undefined, null, 'ECONNREFUSED', { code: '08006' }])(
  'a thrown value that is no error is no refusal: %p',
  thrown => {
    expect(toRefusal(thrown)).toBeUndefined();
  },
);
