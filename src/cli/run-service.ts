import process from 'node:process';
import { runCommand } from './run-command.js';
import { renderGreeting } from '../server/greeting.js';
import { runUntilSignal } from '../server/process.js';
import { createService } from '../server/service.js';

export const run = (): Promise<void> =>
  runUntilSignal(async (settings, fail) => {
    const service = await createService(settings, { runCommand, report: text => process.stdout.write(text), fail });
    return { greeting: renderGreeting(service), drain: service.drain, stop: service.stop };
  });
