import './core/load-env.js';
import { run } from './server/process.js';

await run(async () => {
  const { start, greeting } = await import('./server/start-service.js');
  const service = await start();
  return { greeting: greeting(service), stop: service.stop };
});
