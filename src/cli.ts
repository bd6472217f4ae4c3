import process from 'node:process';
import { usages } from './cli/usage.js';
import { runEntryPoint } from './server/entry-point.js';

/** `npm run token`, `npm run backup`, `npm run demo` and `npm run export`. */
const { token, backup, demo, export: exportUsage } = usages;
const usage = new Map(Object.entries({ token, backup, demo, export: exportUsage })).get(process.argv[2] ?? '');
await runEntryPoint(usage ?? [token, backup, demo, exportUsage].join('\n'), () => import('./cli/run-cli.js'));
