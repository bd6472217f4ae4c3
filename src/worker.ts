import { usages } from './cli/usage.js';
import { runEntryPoint } from './server/entry-point.js';

/**
 * `npm run worker`: sends notifications and automates planned notices; it listens on no port. Any number can run beside
 * the service, on any number of machines.
 */
await runEntryPoint(usages.worker, () => import('./cli/run-worker.js'), 'Starting the worker.\n');
