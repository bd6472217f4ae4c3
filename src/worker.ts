import './core/load-env.js';
import { run } from './server/process.js';

/** `npm run worker`: tells people and moves planned notices, and listens on no port. Any number may run beside the service, on any number of machines. */
await run(async () => {
  const { startWorkerAlone } = await import('./server/start-worker.js');
  return { greeting: 'A worker of All Clear is at work.\n', stop: await startWorkerAlone() };
});
