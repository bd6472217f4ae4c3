import process from 'node:process';
import { runCommand } from './run-command.js';
import { runUntilSignal } from '../server/process.js';
import { createService, renderGreeting } from '../server/service.js';

export const run = (): Promise<void> =>
  runUntilSignal(async settings => {
    const service = await createService(settings, { runCommand, report: text => process.stdout.write(text) });
    return { greeting: renderGreeting(service), stop: service.stop };
  });
