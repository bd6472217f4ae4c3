import { usages } from './cli/usage.js';
import { runEntryPoint } from './server/entry-point.js';

await runEntryPoint(usages.start, () => import('./cli/run-service.js'), 'Starting All Clear.\n');
