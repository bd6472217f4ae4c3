import process from 'node:process';
import { databaseCommands, usages } from './cli/usage.js';
import { runEntryPoint } from './server/entry-point.js';

const name = databaseCommands.find(each => each === process.argv[2]);
const usage = name ? usages[name] : databaseCommands.map(each => usages[each]).join('\n');
await runEntryPoint(usage, () => import('./cli/run-cli.js'));
