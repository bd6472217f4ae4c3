import { expect, test } from '@jest/globals';
import { createTestLogger } from '../../support/log-lines.js';

test('an error is logged with its type, code, message and stack, those of its causes, and nothing else', () => {
  const { log, lines } = createTestLogger();
  const cause = Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(ada@acme.example) already exists.' });
  const error = Object.assign(new TypeError('failed', { cause }), { code: 'E1', rawPacket: Buffer.from('secret') });
  log.error({ err: error }, 'request failed');
  expect(lines()).toMatchObject([{ err: { type: 'TypeError', code: 'E1', message: 'failed: duplicate key' } }]);
  expect(Object.keys(lines()[0]!.err as object).sort()).toEqual(['code', 'message', 'stack', 'type']);
});

test('a thrown value that is no error is logged as its text', () => {
  const { log, lines } = createTestLogger();
  log.error({ err: 'stopped' }, 'request failed');
  expect(lines()).toMatchObject([{ err: { message: 'stopped' } }]);
});
