import pg from 'pg';

/** Creates a client beside a pool, with the pool's options but for `overrides`. */
export const createClient = ({ options }: pg.Pool, overrides: pg.ClientConfig): pg.Client =>
  // The password is not enumerable, so that a spread does not copy it.
  new pg.Client({ ...options, password: options.password, ...overrides });
