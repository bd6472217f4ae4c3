import type { IncomingMessage, Server } from 'node:http';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';

/** What load balancers and monitors ask for at intervals. */
export const healthPaths = ['/healthz', '/healthz/pages', '/readyz', '/metrics'];

/** Without a request for this long, no load balancer sends any more. */
const quietMs = 500;
const maxQuietWaitMs = 2_000;
const maxAcceptMs = 500;
/** Then requests in progress are cut off: Node's own timeouts do not apply to a server that is closing. */
const maxRequestMs = 4_000;

/**
 * Closes a server without resetting a connection that a client has opened. `waitsForQuiet`: a load balancer on a busy
 * machine may learn late that the process stops, so that it gets more time while it sends requests.
 */
export async function closeServer(server: Server, waitsForQuiet: boolean): Promise<void> {
  if (waitsForQuiet) await waitForQuiet(server);
  await acceptQueued(server);
  setTimeout(() => server.closeAllConnections(), maxRequestMs).unref();
  await new Promise(done => server.close(done).closeIdleConnections());
}

async function waitForQuiet(server: Server): Promise<void> {
  const startedAt = performance.now();
  let lastAt = startedAt;
  server.prependListener('request', ({ url }: IncomingMessage) => {
    if (!healthPaths.includes(url!)) lastAt = performance.now();
  });
  for (let now = startedAt; now - lastAt < quietMs && now - startedAt < maxQuietWaitMs; now = performance.now())
    await wait(50);
}

/**
 * Accepts the connections that wait in the queue of the system, which resets them when the server closes. A turn of the
 * event loop accepts one, so that the queue of a busy process is long.
 */
async function acceptQueued(server: Server): Promise<void> {
  const deadline = performance.now() + maxAcceptMs;
  let emptyTurns = 0;
  const countConnection = () => {
    emptyTurns = 0;
  };
  server.on('connection', countConnection);
  // The first turn can be the rest of the present one, in which nothing is accepted.
  while (emptyTurns++ < 3 && performance.now() < deadline) await setImmediate();
  server.off('connection', countConnection);
}
