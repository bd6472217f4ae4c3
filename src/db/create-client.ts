import pg from 'pg';

/** Creates a client beside a pool, of its class and with its options but for `overrides`. */
export function createClient({ options }: pg.Pool, overrides: pg.ClientConfig): pg.Client {
  const Client = (options.Client ?? pg.Client) as typeof pg.Client;
  // The password is not enumerable, so that a spread does not copy it.
  return new Client({ ...options, password: options.password, ...overrides });
}
