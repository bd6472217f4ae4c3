import { afterEach } from '@jest/globals';
import { startReceiver } from './http-receiver.js';

/** Starts HTTP receivers for the tests of a file; each is stopped after the test that started it. */
export function useReceivers() {
  const started: Awaited<ReturnType<typeof startReceiver>>[] = [];
  afterEach(async () => {
    for (const server of started.splice(0).reverse()) await server.stop();
  });
  return async (...options: Parameters<typeof startReceiver>) => {
    const server = await startReceiver(...options);
    started.push(server);
    return server;
  };
}
