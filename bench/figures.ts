import { writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Durations in milliseconds, and how many there are. */
export interface Figures {
  p50: number;
  p95: number;
  max: number;
  count: number;
}

export const toFigures = (times: readonly number[]): Figures => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0, count: sorted.length };
};

/** Repeats an action until the time is over, with a pause after each, and measures how long it takes. */
export async function measure(until: number, pauseMs: number, act: () => Promise<unknown>): Promise<Figures> {
  const times: number[] = [];
  while (performance.now() < until) {
    const startedAt = performance.now();
    await act();
    times.push(performance.now() - startedAt);
    if (pauseMs) await sleep(pauseMs);
  }
  return toFigures(times);
}

export const formatFigures = ({ p50, p95, max, count }: Figures): string =>
  `p50 ${p50.toFixed(1)}  p95 ${p95.toFixed(1)}  max ${max.toFixed(1)} ms  (${count})`;

/**
 * Prints and writes a document of measurements, with the machine below; BENCH_PRINT=true prints it alone, such as of a
 * run of a smaller size. Other work on the machine shows in its load average.
 */
export function writeDocument(name: string, text: string): void {
  const machine = `${cpus()[0]!.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const document = `${text}
* When: ${new Date().toISOString().slice(0, 10)}; load average of the last 5 minutes: ${loadavg()[1]!.toFixed(1)}
* Machine: ${machine}, ${type()} ${release()}; Node ${process.version}
* Clients, service and database on the same machine
`;
  process.stdout.write(document);
  if (process.env.BENCH_PRINT !== 'true')
    writeFileSync(new URL(`../docs/performance/${name}.md`, import.meta.url), document);
}
