import { expect, test } from '@jest/globals';
import { refusalOf } from '../../../src/db/database-errors.js';
import { badRequest } from '../../../src/core/errors.js';

const failure = (code: string, message = 'no words of ours') => Object.assign(new Error(message), { code });
const inShort = (error: unknown) => {
  const refusal = refusalOf(error);
  return refusal && [refusal.code, refusal.retryAfter];
};

const away = ['UNAVAILABLE', 5];
const again = ['UNAVAILABLE', 1];
const raced = ['CONFLICT', undefined];

test.each<[what: string, code: string, refusal: unknown[]]>([
  ['a connection that ended', '08006', away],
  ['a connection that was never made', '08001', away],
  ['an administrator who ends the connection', '57P01', away],
  ['a server that crashed', '57P02', away],
  ['a server that starts', '57P03', away],
  ['a connection that idled for too long', '57P05', away],
  ['too many connections', '53300', away],
  ['a disk that is full', '53100', away],
  ['a port where nobody listens', 'ECONNREFUSED', away],
  ['a socket that the other side dropped', 'ECONNRESET', away],
  ['a name that nobody knows', 'ENOTFOUND', away],
  ['a name that nobody knows at the moment', 'EAI_AGAIN', away],
  ['an answer that does not come', 'ETIMEDOUT', away],
  ['a socket that is shut', 'EPIPE', away],
  ['a socket of the machine that is not there', 'ENOENT', away],
  ['two that cannot both be so', '40001', again],
  ['two that wait for each other', '40P01', again],
  ['a lock that was not free', '55P03', again],
  ['a statement that ran too long', '57014', again],
  ['a value that somebody else took meanwhile', '23505', raced],
  ['a record that somebody else deleted meanwhile', '23503', raced],
])('the failure of the database for %s (%s) is a refusal', (_what, code, refusal) => {
  expect(inShort(failure(code))).toEqual(refusal);
  expect(inShort(new Error('a query failed', { cause: failure(code) }))).toEqual(refusal);
  expect(refusalOf(failure(code, 'secret'))!.message).toMatch(/^[A-Z][^$]*\.$/);
});

test.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'server closed the connection unexpectedly',
])('so is what the driver says without a code: %s', message => {
  expect(inShort(new Error(message))).toEqual(away);
});

test('of several attempts that failed together one is enough', () => {
  expect(inShort(new AggregateError([failure('EACCES'), failure('ECONNREFUSED')]))).toEqual(away);
  expect(inShort(new AggregateError([failure('EACCES')]))).toBeUndefined();
});

test('a refusal of ours stays what it is', () => {
  const refusal = badRequest('No.');
  expect(refusalOf(refusal)).toBe(refusal);
  expect(refusalOf(new Error('x', { cause: refusal }))).toBe(refusal);
});

test.each(['42601', '42P01', '22003', '23502', '23514', '25P02', '57P04', '0A000', ''])(
  'a failure that is ours is none: %s',
  code => {
    expect(refusalOf(failure(code))).toBeUndefined();
  },
);

test.each([undefined, null, 'ECONNREFUSED', { code: '08006' }])('nor is what is no error: %p', thrown => {
  expect(refusalOf(thrown)).toBeUndefined();
});
