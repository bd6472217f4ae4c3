import process from 'node:process';
import { renderGreeting } from '../server/greeting.js';
import { runUntilSignal } from '../server/process.js';
import { createService } from '../server/service.js';
import { runCommand } from './run-command.js';

export const runService = (): Promise<void> =>
  runUntilSignal(async (settings, fail) => {
    const service = await createService(settings, { runCommand, report: text => process.stdout.write(text), fail });
    return { greeting: renderGreeting(service), drain: service.drain, stop: service.stop };
  });
