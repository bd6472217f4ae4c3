import { expect, test } from '@jest/globals';
import { Outbox } from '../../../src/status-page/subscribe/background-sender.js';
import { NotTaken } from '../../../src/subscribers/confirmation-sender.js';

/** Sends as `answers` say, one after the other; then everything is taken. */
function sending(answers: unknown[]) {
  let taken: () => void;
  const done = new Promise<void>(resolve => {
    taken = resolve;
  });
  const tried: unknown[] = [];
  const send = async () => {
    const answer = answers[tried.length];
    tried.push(answer);
    if (answer) throw answer;
    taken();
  };
  return { send, tried, done };
}

test('What comes while very much waits is left out, and that is told at once', async () => {
  const outbox = new Outbox();
  let open = () => {};
  const gate = new Promise<void>(done => {
    open = done;
  });
  const started: number[] = [];
  const leftOut: [number, unknown][] = [];
  for (let index = 0; index < 1_010; index++) {
    const send = async () => {
      started.push(index);
      await gate;
    };
    outbox.post(send, async error => void leftOut.push([index, error]));
  }
  expect(leftOut).toEqual([1_005, 1_006, 1_007, 1_008, 1_009].map(index => [index, null]));
  open();
  await outbox.settled();
  expect(started).toEqual(Array.from({ length: 1_005 }, (_, index) => index));
});

test('What is not taken for now is sent again, and again; that it failed is told once', async () => {
  const outbox = new Outbox();
  const greylisted = new NotTaken('451 come again', false);
  const { send, tried, done } = sending([greylisted, greylisted]);
  const failures: unknown[] = [];
  outbox.post(send, async error => void failures.push(error), [0.01, 0.01, 0.01]);
  await done;
  expect([tried.length, failures]).toEqual([3, [greylisted]]);
});

test.each([
  ['was refused for good', [new NotTaken('550 nobody here', true)], [0.001], 1],
  ['failed as often as it may', [new Error('a'), new Error('b'), new Error('c')], [0.001, 0.001], 3],
])('What %s is not sent again', async (_, answers, seconds, times) => {
  const outbox = new Outbox();
  const { send, tried } = sending(answers);
  outbox.post(send, async () => {}, seconds);
  while (tried.length < times) await new Promise(setImmediate);
  await outbox.settled();
  expect(tried).toHaveLength(times);
});
