import { isDeepStrictEqual } from 'node:util';

const timeoutMs = 10_000;
const intervalMs = 20;

/** Reads until the value is as it should be, for what processes learn soon, and what a screen does behind what it shows. */
export async function waitUntil<Value>(
  read: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
): Promise<Value> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`It did not come to this: ${JSON.stringify(value)}`);
    await new Promise(done => setTimeout(done, intervalMs));
  }
}

export async function waitUntilEqual<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  await waitUntil(read, value => isDeepStrictEqual(value, expected)).catch((error: Error) => {
    throw new Error(`${error.message}, not ${JSON.stringify(expected)}.`);
  });
}
