/**
 * Milliseconds that something took which has so many. A machine that is busy with something else wakes everybody late; by how much tells a timer of the same
 * length, and that is taken off. `worked` is what this process, all of its threads together, had of the processor meanwhile: what it would have taken alone.
 */
export async function timed<Result>(
  allowed: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; took: number; worked: number }> {
  const start = performance.now();
  const processor = process.cpuUsage();
  let late = 0;
  const timer = setTimeout(() => {
    late = performance.now() - start - allowed;
  }, allowed);
  try {
    const result = await work();
    const { user, system } = process.cpuUsage(processor);
    return { result, took: performance.now() - start - late, worked: (user + system) / 1000 };
  } finally {
    clearTimeout(timer);
  }
}
