import type { RenderJob, RenderResult, ThemeSource } from './render-job.js';
import { RenderProcess } from './render-process.js';

/** Processes that render at the same time. */
const maxBusy = 2;
/** Idle processes: a spare one for the next new theme, and those that already loaded a theme. */
const maxIdle = 4;
/** An idle process is killed after this time. */
const idleTimeoutMs = 60_000;

const idle = new Map<RenderProcess, NodeJS.Timeout>();
const waiting: (() => void)[] = [];
let busy = 0;

/**
 * Renders in a process that is killed when it exceeds its time or memory. Throws ThemeFailure for faults of the theme.
 */
export async function renderInProcess(theme: ThemeSource, job: RenderJob): Promise<RenderResult> {
  if (busy >= maxBusy) await new Promise<void>(next => waiting.push(next));
  else busy += 1;
  const process = takeIdle(theme) ?? startProcess();
  try {
    const result = await process.render(theme, job);
    addIdle(process);
    return result;
  } catch (error) {
    process.kill();
    throw error;
  } finally {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
    // The next new theme does not wait for a process to start.
    if (![...idle.keys()].some(each => !each.theme)) addIdle(startProcess());
  }
}

/** Resolves when a spare process is ready for the next new theme. */
export async function waitForSpareProcess(): Promise<void> {
  const spare = [...idle.keys()].find(each => !each.theme);
  if (spare) await spare.ready;
  else addIdle(startProcess());
}

/** Kills the idle processes. */
export function shutdownRenderPool(): void {
  for (const process of idle.keys()) killIdle(process);
}

const startProcess = (): RenderProcess => {
  const process: RenderProcess = new RenderProcess(() => removeIdle(process));
  return process;
};

function takeIdle(theme: ThemeSource): RenderProcess | undefined {
  const processes = [...idle.keys()];
  const process = processes.find(each => each.theme === theme) ?? processes.find(each => !each.theme);
  if (process) removeIdle(process);
  return process;
}

function addIdle(process: RenderProcess): void {
  idle.set(process, setTimeout(() => killIdle(process), idleTimeoutMs).unref());
  const oldest = [...idle.keys()].find(each => each.theme);
  if (idle.size > maxIdle && oldest) killIdle(oldest);
}

function killIdle(process: RenderProcess): void {
  removeIdle(process);
  process.kill();
}

function removeIdle(process: RenderProcess): void {
  clearTimeout(idle.get(process));
  idle.delete(process);
}
