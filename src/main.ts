import { runCommand } from './cli/run-command.js';
import { runUntilSignal } from './server/process.js';
import { createService, renderGreeting } from './server/service.js';

await runUntilSignal(async settings => {
  const service = await createService(settings, { runCommand });
  return { greeting: renderGreeting(service), stop: service.stop };
});
