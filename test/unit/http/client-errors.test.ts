import { mock } from 'node:test';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ClientErrors, isConnectionError } from '../../../src/http/client-errors.js';
import { createTestLogger } from '../../support/log-lines.js';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

const createError = (code: string) =>
  Object.assign(new Error(`message of ${code}`), { code, rawPacket: Buffer.from('GET / HTTP/1.1') });

test('logs the first error at once, and then one line per second with the last error and the count', () => {
  const { log, lines } = createTestLogger();
  const errors = new ClientErrors(log);
  errors.report(createError('A'));
  for (let count = 0; count < 1_000; count += 1) errors.report(createError('B'));
  errors.report(createError('C'));
  expect(lines()).toMatchObject([{ level: 20, type: 'Error', code: 'A', message: 'message of A', count: 1 }]);
  mock.timers.tick(1_000);
  expect(lines().slice(1)).toMatchObject([{ code: 'C', count: 1_001 }]);
  mock.timers.tick(10_000);
  errors.report(createError('D'));
  expect(lines().slice(2)).toMatchObject([{ code: 'D', count: 1 }]);
});

test('logs type, code and message, and no other property of an error', () => {
  const { log, lines } = createTestLogger();
  new ClientErrors(log).report(createError('HPE_INVALID_CHUNK_SIZE'));
  expect(Object.keys(lines()[0]!).sort()).toEqual(['code', 'count', 'level', 'message', 'msg', 'time', 'type']);
});

const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
const malformed = Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_EOF_STATE' });
const createRequest = (errors: { request?: Error; socket?: Error }) => ({
  errored: errors.request ?? null,
  socket: { errored: errors.socket ?? null },
});

test('an error of a connection is the one that ended it, or a later one of the parser of HTTP', () => {
  const request = createRequest({ socket: broken });
  expect([broken, malformed].map(error => isConnectionError(error, request))).toEqual([true, true]);
  expect(isConnectionError(malformed, createRequest({ request: new Error('aborted') }))).toBe(true);
  expect(isConnectionError(new TypeError('A defect.'), request)).toBe(false);
  expect(isConnectionError(new TypeError('A defect.'), undefined)).toBe(false);
});

test('an error of the parser of HTTP is none of a connection that works: it is of a request that the service sent', () => {
  expect(isConnectionError(malformed, createRequest({}))).toBe(false);
  expect(isConnectionError(malformed, undefined)).toBe(false);
});
