import { resolve } from 'node:path';
import process from 'node:process';
import { runWithSettings } from '../server/process.js';
import { runOnDatabase } from './on-database.js';

export const run = (): Promise<void> =>
  runWithSettings(async settings => {
    const args = process.argv.slice(2);
    // A running service carries out the command, and its working directory can be another.
    if (['backup', 'export'].includes(args[0]!) && args[1]) args[1] = resolve(args[1]);
    process.exitCode = await runOnDatabase(
      settings,
      args,
      text => new Promise(done => process.stdout.write(text, () => done())),
    );
  });
