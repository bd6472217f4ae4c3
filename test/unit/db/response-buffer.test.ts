import { expect, test } from '@jest/globals';
import { ResponseBuffer } from '../../../src/db/embedded/response-buffer.js';

test('returns all parts since the last time', () => {
  const buffer = new ResponseBuffer();
  buffer.append(Uint8Array.of(1, 2));
  buffer.append(Uint8Array.of(3));
  expect(buffer.take()).toEqual(Uint8Array.of(1, 2, 3));
  buffer.append(Uint8Array.of(4));
  expect(buffer.take()).toEqual(Uint8Array.of(4));
  expect(buffer.take()).toHaveLength(0);
});

test('keeps the memory of a response for the next one, but not that of a large one', () => {
  const buffer = new ResponseBuffer();
  const initial = buffer.capacity;
  buffer.append(new Uint8Array(300_000).fill(7));
  expect(buffer.take()).toEqual(new Uint8Array(300_000).fill(7));
  expect(buffer.capacity).toBeGreaterThanOrEqual(300_000);
  buffer.append(new Uint8Array(5_000_000));
  expect(buffer.take()).toHaveLength(5_000_000);
  expect(buffer.capacity).toBe(initial);
});
