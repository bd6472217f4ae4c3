import { performance } from 'node:perf_hooks';
import process from 'node:process';

const intervalMs = 30_000;
/** The share of an interval in which the event loop may have been busy. */
const idleUtilization = 0.05;
/** Less is not worth the pause. */
const minGrowthBytes = 24 * 2 ** 20;

interface Memory {
  collect(): void;
  readResidentBytes(): number;
}

/**
 * Returns a check that is called with the utilization of each interval, and collects after each of the first two without
 * load: V8 makes the young generation smaller only when little was allocated since the collection before.
 */
export function createIdleCheck({ collect, readResidentBytes }: Memory): (utilization: number) => void {
  let afterCollection = 0;
  let due = 0;
  return utilization => {
    if (utilization > idleUtilization) return;
    if (readResidentBytes() - afterCollection >= minGrowthBytes) due = 2;
    if (!due) return;
    due -= 1;
    collect();
    afterCollection = readResidentBytes();
  };
}

/**
 * Returns memory to the operating system when a load is over: V8 does so only where its limit or a signal of memory
 * pressure forces it. A collection stops the process for some tenths of a second, so there is none under load. Needs the
 * flag --expose-gc.
 */
export function startIdleCollection(): void {
  const { gc } = globalThis;
  if (!gc) return;
  const check = createIdleCheck({
    // Also the pages that V8 keeps for later.
    collect: () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    readResidentBytes: () => process.memoryUsage.rss(),
  });
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    check(performance.eventLoopUtilization(now, before).utilization);
    before = now;
  }, intervalMs).unref();
}
