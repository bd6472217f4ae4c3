import type pg from 'pg';

/** The same for everything that is measured; what the service sets for its own connections, the others get too. */
export const pool = { max: 10, onConnect: (client: pg.ClientBase) => client.query('set random_page_cost = 1.1') } satisfies pg.PoolConfig;

/** Requests under way at once. */
export const concurrency = 32;
export const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
export const seconds = Number(process.env.BENCH_SECONDS ?? 2);
