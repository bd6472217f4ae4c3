import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { PatientQueue } from '../../../src/status-page/server/refresh-queue.js';

let queue: PatientQueue;
afterEach(() => queue.close());

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 500; tries++) await wait(10);
  expect(isSo()).toBe(true);
}

test('a name is worked on once at a time, and once more when it is added meanwhile', async () => {
  let turns = 0;
  let open: () => void = () => {};
  queue = new PatientQueue(async () => {
    turns += 1;
    await new Promise<void>(done => {
      open = done;
    });
  });
  for (let time = 0; time < 5; time++) queue.add('a');
  await until(() => turns === 1);
  for (let time = 0; time < 5; time++) queue.add('a');
  open();
  await until(() => turns === 2);
  open();
  await wait(0);
  expect(turns).toBe(2);
});

test('a few names are worked on at once, in their order', async () => {
  const begun: string[] = [];
  const opens: (() => void)[] = [];
  queue = new PatientQueue(
    name =>
      new Promise<void>(done => {
        begun.push(name);
        opens.push(done);
      }),
  );
  for (const name of ['a', 'b', 'c', 'd', 'e']) queue.add(name);
  await until(() => begun.length === 3);
  expect(begun).toEqual(['a', 'b', 'c']);
  opens[0]!();
  await until(() => begun.length === 4);
  expect(begun.at(-1)).toBe('d');
  for (let place = 1; place < 5; place++) {
    await until(() => opens.length > place);
    opens[place]!();
  }
  await until(() => begun.length === 5);
});

test('what fails is tried again until it works', async () => {
  let turns = 0;
  queue = new PatientQueue(async () => {
    turns += 1;
    if (turns < 3) throw new Error('not yet');
  });
  queue.add('a');
  await until(() => turns === 3);
});
