import type { Client, ClientConfig, Pool } from 'pg';

/** Creates a client beside a pool, with the pool's class and options but for `overrides`. */
export const createClient = (pool: Pool & { Client?: typeof Client }, overrides: ClientConfig): Client =>
  // The password is not enumerable, so that a spread does not copy it.
  new pool.Client!({ ...pool.options, password: pool.options.password, ...overrides });
