import './environment.js';
import process from 'node:process';

/** The settings are read on import, and stop the start when they are wrong; so nothing that reads them is imported before. */
const stopWith = async (error: unknown): Promise<never> => {
  const isAboutSettings = error instanceof Error && error.constructor.name === 'WrongSettings';
  const sentence = isAboutSettings ? error.message : (await import('./start-failures.js')).startFailure(error);
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(1);
};

try {
  const { start, greeting } = await import('./start.js');
  const service = await start();
  process.stdout.write(greeting(service));
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      service.stop().then(() => process.exit(0), stopWith);
    });
  }
} catch (error) {
  await stopWith(error);
}
