import process from 'node:process';
import { readSettings, type Settings } from '../core/config.js';
import { loadEnvironmentFile } from '../core/load-env.js';
import { describeStartupError } from './startup-errors.js';

interface RunningProcess {
  greeting: string;
  stop(): Promise<void>;
}

/**
 * Runs `work` with the settings of the environment and of `.env`. An error ends the process: with one sentence where
 * the operator can correct its cause, else with the stack trace.
 */
export async function runWithSettings(work: (settings: Settings) => Promise<void>): Promise<void> {
  let settings: Settings | null = null;
  try {
    loadEnvironmentFile();
    settings = readSettings(process.env);
    await work(settings);
  } catch (error) {
    exitWithError(error, settings);
  }
}

/** Runs the process until SIGTERM or SIGINT. */
export const runUntilSignal = (start: (settings: Settings) => Promise<RunningProcess>): Promise<void> =>
  runWithSettings(async settings => {
    const { greeting, stop } = await start(settings);
    let isStopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // A second signal ends the process at once.
        if (isStopping) process.exit(1);
        isStopping = true;
        stop().then(
          () => process.exit(0),
          error => exitWithError(error, settings),
        );
      });
    }
    // Last, because whoever waits for the greeting can send a signal as soon as it is printed.
    process.stdout.write(greeting);
  });

function exitWithError(error: unknown, settings: Settings | null): never {
  const message = describeStartupError(error, settings);
  process.stderr.write(`${message ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}
