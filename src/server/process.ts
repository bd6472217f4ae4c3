import process from 'node:process';
import { findMisspelledSettings, readSettings, type Settings } from '../core/config.js';
import { loadEnvironmentFile } from '../core/load-env.js';
import { useProxies } from '../http/proxies.js';
import { describeStartupError } from './startup-errors.js';

interface RunningProcess {
  greeting: string;
  /** Before `stop`, where the process was sent SIGTERM: a terminal, which sends SIGINT, is not a load balancer. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

/** With the default of DRAIN_SECONDS 10 seconds, after which orchestrators kill a process. */
const stopDeadlineMs = 8_000;
/** npm and the terminal both pass a signal on, so it can arrive twice; a later one is a demand. */
const repeatedSignalMs = 1_000;

/**
 * Runs `work` with the settings of the environment and of `.env`. An error ends the process: with one sentence where
 * the operator can correct its cause, else with the stack trace.
 */
export async function runWithSettings(work: (settings: Settings) => Promise<void>): Promise<void> {
  let settings: Settings | null = null;
  try {
    loadEnvironmentFile();
    const misspelled = findMisspelledSettings(process.env);
    // Also before the mistakes in the settings, whose cause they can be.
    for (const sentence of misspelled) process.stderr.write(`${sentence}\n`);
    settings = readSettings(process.env);
    useProxies(settings);
    await work(settings);
  } catch (error) {
    exitWithError(error, settings);
  }
}

/** Runs the process until SIGTERM or SIGINT. A second signal ends it at once, and so does `fail`, with a sentence. */
export const runUntilSignal = (
  start: (settings: Settings, fail: (error: Error) => never) => Promise<RunningProcess>,
): Promise<void> =>
  runWithSettings(async settings => {
    let running: RunningProcess | undefined;
    let first: { signal: NodeJS.Signals; at: number } | undefined;
    const handleSignal = (signal: NodeJS.Signals) => {
      const at = performance.now();
      if (first?.signal === signal && at - first.at < repeatedSignalMs) return;
      if (first) process.exit(1);
      first = { signal, at };
      // An interrupted start leaves nothing that the next one does not clean up.
      if (!running) process.exit(0);
      end(running, signal).then(
        () => process.exit(0),
        error => exitWithError(error, settings),
      );
    };
    // Before the start, because a process with the id 1, as in a container, ignores signals that it does not handle.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, handleSignal);
    running = await start(settings, error => exitWithError(error, settings));
    process.stdout.write(running.greeting);
  });

async function end(running: RunningProcess, signal: NodeJS.Signals): Promise<void> {
  if (signal === 'SIGTERM') await running.drain?.();
  setTimeout(() => {
    process.stderr.write(`Not everything stopped within ${stopDeadlineMs / 1_000} seconds; the process ends.\n`);
    process.exit(1);
  }, stopDeadlineMs);
  await running.stop();
}

function exitWithError(error: unknown, settings: Settings | null): never {
  const message = describeStartupError(error, settings);
  process.stderr.write(`${message ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
