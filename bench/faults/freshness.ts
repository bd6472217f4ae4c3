import { setTimeout as sleep } from 'node:timers/promises';
import { FaultEnvironment } from './environment.ts';

export interface FreshnessResult {
  retries: number;
  /** Seconds from the response to the request until the first mail, and until the last. */
  first: number;
  all: number;
  /** Whether all have arrived, within a minute. */
  isComplete: boolean;
}

/** Publishes a notice while retries to a dead domain are queued and due. */
export async function publishBesideRetries({
  retries,
  recipients = 500,
  build,
}: {
  retries: number;
  recipients?: number;
  build?: string;
}): Promise<FreshnessResult> {
  const environment = await FaultEnvironment.open(build);
  try {
    environment.receiver.behaviour = to =>
      to.endsWith('@dead.example') ? { reject: 'recipient', delayMs: 100 } : undefined;
    const dead = await environment.createPage(retries, 'dead.example');
    const live = await environment.createPage(recipients);
    await environment.createNotice(dead);
    environment.startWorker();
    for (let tries = 0; tries < 600; tries++) {
      const [row] = await environment.query<{ n: number }>('select count(*)::integer as n from delivery');
      if (row!.n >= retries) break;
      await sleep(100);
    }
    // As if each had failed once and were due again.
    await environment.query(
      `update delivery set state = 'retrying', tries = 1, due_at = clock_timestamp() where state = 'pending'`,
    );
    await sleep(1_000);
    await environment.createNotice(live);
    const respondedAt = performance.now();
    const mails = () => environment.receiver.accepted.filter(({ to }) => to.endsWith('@example.com'));
    for (let tries = 0; tries < 600 && mails().length < recipients; tries++) await sleep(100);
    const seconds = mails().map(({ at }) => (at - respondedAt) / 1_000);
    return {
      retries,
      first: seconds.length ? Math.min(...seconds) : 60,
      all: seconds.length === recipients ? Math.max(...seconds) : 60,
      isComplete: seconds.length === recipients,
    };
  } finally {
    await environment.close();
  }
}
