import { setTimeout as sleep } from 'node:timers/promises';
import { World } from './world.ts';

export interface Fresh {
  retries: number;
  /** Seconds from the answer to the request to the first mail, and to the last. */
  first: number;
  all: number;
}

/** Retries to a dead domain are queued and due, and something happens. */
export async function publishBesideRetries({
  retries,
  recipients = 500,
  build,
}: {
  retries: number;
  recipients?: number;
  build?: string;
}): Promise<Fresh> {
  const world = await World.open(build);
  try {
    world.receiver.manners = to => (to.endsWith('@dead.example') ? { refuse: 'recipient', after: 100 } : undefined);
    const dead = await world.page(retries, 'dead.example');
    const live = await world.page(recipients);
    await world.notice(dead);
    world.worker();
    for (let tries = 0; tries < 600; tries++) {
      const [row] = await world.query<{ n: number }>('select count(*)::integer as n from delivery');
      if (row!.n >= retries) break;
      await sleep(100);
    }
    // All of them failed once, and are due.
    await world.query(
      `update delivery set state = 'retrying', tries = 1, due_at = clock_timestamp() where state = 'pending'`,
    );
    await sleep(1_000);
    await world.notice(live);
    const answered = performance.now();
    const mails = () => world.receiver.taken.filter(({ to }) => to.endsWith('@example.com'));
    for (let tries = 0; tries < 600 && mails().length < recipients; tries++) await sleep(100);
    const times = mails().map(({ at }) => (at - answered) / 1_000);
    return {
      retries,
      first: times.length ? Math.min(...times) : 60,
      all: times.length === recipients ? Math.max(...times) : 60,
    };
  } finally {
    await world.close();
  }
}
