import process from 'node:process';
import { usages } from './cli/usage.js';
import { runEntryPoint } from './server/entry-point.js';

/** `npm run token`, `npm run demo` and `npm run export`. */
const { token, demo, export: exportUsage } = usages;
const usage = new Map(Object.entries({ token, demo, export: exportUsage })).get(process.argv[2] ?? '');
await runEntryPoint(usage ?? [token, demo, exportUsage].join('\n'), () => import('./cli/run-cli.js'));
