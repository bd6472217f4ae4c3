import process from 'node:process';
import type { Command } from 'commander';
import { version } from '../server/version.js';

export function define(command: Command): void {
  command
    .description('Runs the service: the APIs, the public pages, the console, notifications and automation.')
    .action(async () => {
      // Before the service is loaded, which takes seconds on a slow machine.
      process.stdout.write(`Starting All Clear ${version}.\n`);
      const { runService } = await import('./run-service.js');
      await runService();
    });
}
