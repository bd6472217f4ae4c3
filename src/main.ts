import { createService, renderGreeting } from './server/service.js';
import { runUntilSignal } from './server/process.js';

await runUntilSignal(async settings => {
  const service = await createService(settings);
  return { greeting: renderGreeting(service), stop: service.stop };
});
