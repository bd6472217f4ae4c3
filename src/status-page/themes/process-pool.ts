import type { Commission, Drawn, ThemeSource } from './render-job.js';
import { DrawingProcess } from './render-process.js';

/** As many draw at once; a machine has other things to do. */
const atOnce = 2;
/** Processes without work: one for the next new theme, and those whose theme may be drawn again. */
const idleAtMost = 4;
/** Milliseconds until a process without work ends. */
const idleTime = 60_000;

const idle = new Map<DrawingProcess, NodeJS.Timeout>();
const waiting: (() => void)[] = [];
let busy = 0;

/** Draws in a process that is killed when it takes too long or too much. Throws a ThemeFailure where the theme is at fault. */
export async function drawApart(theme: ThemeSource, commission: Commission): Promise<Drawn> {
  if (busy >= atOnce) await new Promise<void>(next => waiting.push(next));
  else busy += 1;
  const process = take(theme) ?? start();
  try {
    const drawn = await process.draw(theme, commission);
    keep(process);
    return drawn;
  } catch (error) {
    process.end();
    throw error;
  } finally {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
    // The next new theme does not pay for the start.
    if (![...idle.keys()].some(each => !each.theme)) keep(start());
  }
}

/** Resolves when the next new theme has a process to be drawn in. */
export async function spareIsReady(): Promise<void> {
  const spare = [...idle.keys()].find(each => !each.theme);
  if (spare) await spare.ready;
  else keep(start());
}

/** Ends the processes that wait for work. */
export function closeWorkshop(): void {
  for (const process of idle.keys()) drop(process);
}

const start = (): DrawingProcess => {
  const process: DrawingProcess = new DrawingProcess(() => forget(process));
  return process;
};

function take(theme: ThemeSource): DrawingProcess | undefined {
  const processes = [...idle.keys()];
  const process = processes.find(each => each.theme === theme) ?? processes.find(each => !each.theme);
  if (process) forget(process);
  return process;
}

function keep(process: DrawingProcess): void {
  idle.set(process, setTimeout(() => drop(process), idleTime).unref());
  const oldest = [...idle.keys()].find(each => each.theme);
  if (idle.size > idleAtMost && oldest) drop(oldest);
}

function drop(process: DrawingProcess): void {
  forget(process);
  process.end();
}

function forget(process: DrawingProcess): void {
  clearTimeout(idle.get(process));
  idle.delete(process);
}
