import process from 'node:process';

interface Running {
  greeting: string;
  stop(): Promise<void>;
}

/** Ends the process with a sentence, or with all that is known where nobody foresaw it. The settings are read on import, and stop it when they are wrong: nothing that reads them is imported before. */
export async function stopWith(error: unknown): Promise<never> {
  const isAboutSettings = error instanceof Error && error.constructor.name === 'WrongSettings';
  const sentence = isAboutSettings ? error.message : (await import('./startup-errors.js')).startFailure(error);
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
}

/** Runs something until the process is told to end. `start` imports what reads the settings. */
export async function run(start: () => Promise<Running>): Promise<void> {
  try {
    const { greeting, stop } = await start();
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        // Who asks twice will not wait.
        if (stopping) process.exit(1);
        stopping = true;
        stop().then(() => process.exit(0), stopWith);
      });
    }
    // Whoever waits for it may end the process at once.
    process.stdout.write(greeting);
  } catch (error) {
    await stopWith(error);
  }
}
