import './environment.js';
import process from 'node:process';

/** The settings are read on import, and stop the start when they are wrong. */
const stopWith = (error: unknown): never => {
  process.stderr.write(
    `${error instanceof Error ? (['WrongSettings', 'FolderInUse'].includes(error.constructor.name) ? error.message : error.stack) : error}\n`,
  );
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
  stopWith(error);
}
