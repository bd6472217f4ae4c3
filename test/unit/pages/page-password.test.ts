import { expect, test } from '@jest/globals';
import { hashPassword, isPassword } from '../../../src/pages/page-password.js';

test('a try waits for those of the same page alone, and for one of each other page', async () => {
  const [flooded, other] = [await hashPassword('correct horse'), await hashPassword('battery staple')];
  let ended = 0;
  const flood = Array.from({ length: 10 }, async (_, number) => {
    const isRight = await isPassword(`wrong ${number}`, flooded);
    ended += 1;
    return isRight;
  });
  expect(await isPassword('battery staple', other)).toBe(true);
  expect(ended).toBeLessThan(3);
  expect(await Promise.all(flood)).toEqual(flood.map(() => false));
});
