/**
 * Measures how long `work` takes. `durationMs` excludes the delay that a busy machine adds: a timer of the allowed
 * duration fires late by the same amount. `cpuMs` is the CPU time of this process, all threads together.
 */
export async function measure<Result>(
  allowedMs: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; durationMs: number; cpuMs: number }> {
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  let delayMs = 0;
  const timer = setTimeout(() => {
    delayMs = performance.now() - start - allowedMs;
  }, allowedMs);
  try {
    const result = await work();
    const { user, system } = process.cpuUsage(cpuStart);
    return { result, durationMs: performance.now() - start - delayMs, cpuMs: (user + system) / 1000 };
  } finally {
    clearTimeout(timer);
  }
}
