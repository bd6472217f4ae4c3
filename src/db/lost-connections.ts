import type { Pool, PoolClient } from 'pg';

/**
 * Gives the place of a connection that was lost while it was in use back to the pool. Kysely does so only after a
 * commit or a rollback that succeeds: each transaction whose connection is lost would take a place forever.
 */
export function releaseLostConnections(pool: Pool): void {
  const inUse = new WeakSet<PoolClient>();
  pool.on('acquire', client => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('connect', client => {
    client.once('end', () => {
      if (!inUse.has(client)) return;
      client.release(true);
      // Its user may release it as well, for which pg would throw.
      client.release = () => {};
    });
  });
}
