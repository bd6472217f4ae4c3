import type { Worker } from 'node:worker_threads';
import { EmbeddedServer } from '../../src/db/embedded/server.js';

/**
 * Starts an embedded database in memory with the schema of the service. Each test file has its own: the connections of one
 * share a session, so that whatever a service does after it was stopped would reach the next test file.
 */
export async function startEmbeddedServer(): Promise<EmbeddedServer> {
  const server = new EmbeddedServer({ dataDir: 'memory://', template: process.env.TEST_EMBEDDED_TEMPLATE });
  await server.open();
  // The process may end before it is closed.
  (server as unknown as { thread: Worker }).thread.unref();
  return server;
}
