import { runUntilSignal } from './server/process.js';
import { startWorkerProcess } from './server/start-worker.js';

/**
 * `npm run worker`: sends notifications and automates planned notices; it listens on no port. Any number can run beside
 * the service, on any number of machines.
 */
await runUntilSignal(async settings => ({
  stop: await startWorkerProcess(settings),
  greeting: 'The All Clear worker is running.\n',
}));
