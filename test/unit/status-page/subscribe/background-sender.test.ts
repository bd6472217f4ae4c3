import { createLogger } from '../../../../src/core/logger.js';
import { expect, test } from '@jest/globals';
import { BackgroundSender, ignoreFailure } from '../../../../src/status-page/subscribe/background-sender.js';
import { createTestLogger } from '../../../support/log-lines.js';
import { SendError } from '../../../../src/subscribers/confirmation-sender.js';

/** A send function that fails with each error in turn, and then succeeds. */
function createSend(errors: unknown[]) {
  let resolveSent: () => void;
  const sent = new Promise<void>(resolve => {
    resolveSent = resolve;
  });
  const attempts: unknown[] = [];
  const send = async () => {
    const error = errors[attempts.length];
    attempts.push(error);
    if (error) throw error;
    resolveSent();
  };
  return { send, attempts, sent };
}

test('drops messages while the queue is full, and reports it at once', async () => {
  const sender = new BackgroundSender(createLogger('silent'));
  let openGate = () => {};
  const gate = new Promise<void>(done => {
    openGate = done;
  });
  const started: number[] = [];
  const dropped: [number, unknown][] = [];
  for (let index = 0; index < 1_010; index++) {
    const send = async () => {
      started.push(index);
      await gate;
    };
    sender.enqueue(send, async error => void dropped.push([index, error]));
  }
  expect(dropped).toEqual([1_005, 1_006, 1_007, 1_008, 1_009].map(index => [index, null]));
  openGate();
  await sender.drain();
  expect(started).toEqual(Array.from({ length: 1_005 }, (_, index) => index));
});

test('retries at most 1,000 messages at a time', async () => {
  const sender = new BackgroundSender(createLogger('silent'));
  let attempts = 0;
  const send = async () => {
    attempts += 1;
    throw new SendError('451 come again', false);
  };
  for (let index = 0; index < 1_003; index++) sender.enqueue(send, ignoreFailure, [0.01]);
  while (attempts < 2_003) await new Promise(setImmediate);
  await sender.drain();
  expect(attempts).toBe(2_003);
});

test('retries a message after temporary failures, and reports the failure once', async () => {
  const sender = new BackgroundSender(createLogger('silent'));
  const greylisted = new SendError('451 come again', false);
  const { send, attempts, sent } = createSend([greylisted, greylisted]);
  const failures: unknown[] = [];
  sender.enqueue(send, async error => void failures.push(error), [0.01, 0.01, 0.01]);
  await sent;
  expect([attempts.length, failures]).toEqual([3, [greylisted]]);
});

test.each([
  ['a permanent failure', [new SendError('550 nobody here', true)], [0.001], 1],
  ['the last retry', [new Error('a'), new Error('b'), new Error('c')], [0.001, 0.001], 3],
])('does not retry after %s', async (_, errors, delaysSeconds, expectedAttempts) => {
  const sender = new BackgroundSender(createLogger('silent'));
  const { send, attempts } = createSend(errors);
  sender.enqueue(send, async () => {}, delaysSeconds);
  while (attempts.length < expectedAttempts) await new Promise(setImmediate);
  await sender.drain();
  expect(attempts).toHaveLength(expectedAttempts);
});

test('logs failures, and messages that were dropped, by one line per second each', async () => {
  const { log, lines } = createTestLogger();
  const sender = new BackgroundSender(log);
  const send = async () => {
    throw new SendError('451 come again', false);
  };
  for (let index = 0; index < 1_105; index++) sender.enqueue(send, ignoreFailure);
  await sender.drain();
  const summary = lines().map(({ msg, count }) => [msg, count]);
  expect(summary).toEqual([
    ['a confirmation was dropped', 1],
    ['sending a confirmation failed', 1],
    ['sending a confirmation failed', 1_004],
    ['a confirmation was dropped', 99],
  ]);
});
