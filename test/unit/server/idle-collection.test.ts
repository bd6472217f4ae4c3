import { expect, test } from '@jest/globals';
import { createIdleCheck } from '../../../src/server/idle-collection.js';

const busy = 0.5;
const idle = 0.01;
const megabytes = (count: number) => count * 2 ** 20;

/** A process that needs 100 MB, and can return the rest. */
function createProcess() {
  const memory = { resident: megabytes(200), collections: 0 };
  const check = createIdleCheck({
    collect: () => {
      memory.collections += 1;
      memory.resident = megabytes(100);
    },
    readResidentBytes: () => memory.resident,
  });
  return { memory, check };
}

test('an idle process collects twice', () => {
  const { memory, check } = createProcess();
  for (const utilization of [idle, idle, idle, idle]) check(utilization);
  expect(memory).toEqual({ resident: megabytes(100), collections: 2 });
});

test('a busy process does not collect until its load is over', () => {
  const { memory, check } = createProcess();
  for (const utilization of [busy, busy]) check(utilization);
  expect(memory.collections).toBe(0);
  check(idle);
  expect(memory.collections).toBe(1);
});

test('a process that grew again collects again, and one that hardly grew does not', () => {
  const { memory, check } = createProcess();
  for (const utilization of [idle, idle, idle]) check(utilization);
  memory.resident += megabytes(20);
  check(idle);
  expect(memory.collections).toBe(2);
  memory.resident += megabytes(20);
  check(idle);
  expect(memory.collections).toBe(3);
});
