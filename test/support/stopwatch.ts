/**
 * Milliseconds that something took which has so many. A machine that is busy with something else wakes everybody late; by how much tells a timer of the same
 * length, and that is taken off.
 */
export async function timed<Result>(allowed: number, work: () => Promise<Result>): Promise<{ result: Result; took: number }> {
  const start = performance.now();
  let late = 0;
  const timer = setTimeout(() => {
    late = performance.now() - start - allowed;
  }, allowed);
  try {
    const result = await work();
    return { result, took: performance.now() - start - late };
  } finally {
    clearTimeout(timer);
  }
}
