import { isDeepStrictEqual } from 'node:util';

/** Reads until it is the expected value, for what processes learn soon, and what a screen does behind what it shows. */
export async function waitUntilEqual<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, expected)) return;
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(value)}, not ${JSON.stringify(expected)}.`);
    await new Promise(done => setTimeout(done, 50));
  }
}
