import { expect, test } from '@jest/globals';
import { PagePasswords } from '../../../src/pages/page-password.js';

test('a try waits for those of the same page alone, and for one of each other page', async () => {
  const passwords = new PagePasswords();
  const [flooded, other] = [await passwords.hash('correct horse'), await passwords.hash('battery staple')];
  let ended = 0;
  const flood = Array.from({ length: 10 }, async (_, number) => {
    const isRight = await passwords.isRight(`wrong ${number}`, flooded);
    ended += 1;
    return isRight;
  });
  expect(await passwords.isRight('battery staple', other)).toBe(true);
  expect(ended).toBeLessThan(3);
  expect(await Promise.all(flood)).toEqual(flood.map(() => false));
});
