import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createOrder } from '../../../../src/core/queues/in-order.js';

test('jobs run one after another, also after one that fails', async () => {
  const runInOrder = createOrder();
  const events: string[] = [];
  const job = (name: string) => async () => {
    events.push(`${name} begins`);
    await setImmediate();
    events.push(`${name} ends`);
    if (name === 'b') throw new Error('failed');
    return name;
  };
  const results = ['a', 'b', 'c'].map(name => runInOrder(job(name)));
  expect(await Promise.allSettled(results)).toMatchObject([
    { value: 'a' },
    { reason: { message: 'failed' } },
    { value: 'c' },
  ]);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});
