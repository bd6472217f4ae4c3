import process from 'node:process';
import type { Command } from 'commander';
import { version } from '../server/version.js';

export function define(command: Command): void {
  command
    .description(
      'Sends notifications, and does what AUTOMATION stands for, beside a service on the same PostgreSQL. ' +
        'It listens on METRICS_PORT alone, if that is set. Any number can run, on any number of machines.',
    )
    .action(async () => {
      process.stdout.write(`Starting the worker of All Clear ${version}.\n`);
      const [{ runUntilSignal }, { startWorkerProcess }] = await Promise.all([
        import('../server/process.js'),
        import('../server/start-worker.js'),
      ]);
      await runUntilSignal(async settings => ({
        stop: await startWorkerProcess(settings, { report: text => process.stdout.write(text) }),
        greeting: 'The All Clear worker is running.\n',
      }));
    });
}
