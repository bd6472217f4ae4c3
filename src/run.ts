import process from 'node:process';

interface Running {
  greeting: string;
  stop(): Promise<void>;
}

/** Runs something until the process is told to end. The settings are read on import, and stop the start when they are wrong; so `start` imports what reads them. */
export async function run(start: () => Promise<Running>): Promise<void> {
  const stopWith = async (error: unknown): Promise<never> => {
    const isAboutSettings = error instanceof Error && error.constructor.name === 'WrongSettings';
    const sentence = isAboutSettings ? error.message : (await import('./start-failures.js')).startFailure(error);
    process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : error)}\n`);
    process.exit(1);
  };
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
