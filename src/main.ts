import './environment.js';
import { run } from './run.js';

await run(async () => {
  const { start, greeting } = await import('./start.js');
  const service = await start();
  return { greeting: greeting(service), stop: service.stop };
});
