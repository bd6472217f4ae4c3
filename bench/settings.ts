import type pg from 'pg';

/** The same for everything that is measured; what the service sets for its own connections, the others get too. */
export const pool = {
  max: 6,
  onConnect: (client: pg.ClientBase) => client.query('set random_page_cost = 1.1'),
} satisfies pg.PoolConfig;

/** Requests under way at once. */
export const concurrency = 32;
/** Short and many: what else the machine does then hits all in a round alike. */
export const rounds = Number(process.env.BENCH_ROUNDS ?? 40);
export const seconds = Number(process.env.BENCH_SECONDS ?? 1);
/** Until V8 has compiled what is hot. */
export const warmUpSeconds = 5;
