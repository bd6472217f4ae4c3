import type pg from 'pg';

/** The same for all servers that are compared: the others get the connection settings of the service. */
export const pool = {
  max: 6,
  onConnect: (client: pg.ClientBase) => client.query('set random_page_cost = 1.1'),
} satisfies pg.PoolConfig;

/** Concurrent connections. */
export const concurrency = 32;
/** Short rounds, so that other activity on the machine affects all servers of a round alike. */
export const rounds = Number(process.env.BENCH_ROUNDS ?? 12);
export const seconds = Number(process.env.BENCH_SECONDS ?? 1);
/** Until V8 has optimized the hot code. */
export const warmUpSeconds = 5;
/** Which takes a number of calls: on a slow machine 5 seconds are too short for expensive requests. */
export const warmUpResponses = 15_000;
export const maxWarmUpSeconds = 30;
