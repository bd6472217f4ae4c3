import { setTimeout as sleep } from 'node:timers/promises';
import { FaultEnvironment, postgres } from './environment.ts';
import { Supervisor, times } from './supervisor.ts';

export interface DeliveryResult {
  recipients: number;
  missing: number;
  duplicates: number;
  /** Recipients who got more than one Message-ID for one delivery. */
  extraMessageIds: number;
  kills: number;
  backends: number;
  restarts: number;
  seconds: number;
}

export interface Faults {
  recipients: number;
  build?: string;
  /** The interval of kills; 0 for none. */
  killEveryMs?: number;
  /** Also terminates backends, and restarts PostgreSQL. */
  database?: boolean;
  /** Rejects 30 % of mails by 451, greylists one recipient in ten, and delays one reply in fifty. */
  unreliable?: boolean;
  maxSeconds: number;
}

/** Publishes a notice and delivers it with three workers under the given faults. */
export async function deliver({
  recipients,
  build,
  killEveryMs = 0,
  database = false,
  unreliable = false,
  maxSeconds,
}: Faults): Promise<DeliveryResult> {
  const environment = await FaultEnvironment.open(build);
  try {
    if (unreliable) environment.receiver.behaviour = unreliableBehaviour;
    const page = await environment.createPage(recipients);
    const counts = { backends: 0, restarts: 0 };
    const workers = new Supervisor(times(3, () => environment.startWorker()));
    await workers.ready();
    const startedAt = performance.now();
    await environment.createNotice(page);
    let isOver = false;
    const killing = killEveryMs ? workers.killEvery(killEveryMs, () => isOver) : undefined;
    const terminating = (async () => {
      while (database && !isOver) {
        await sleep(700);
        const rows = await environment.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = 'faults' and pid <> pg_backend_pid() order by random() limit 1`,
        );
        counts.backends += rows.length;
        if (counts.backends % 12 === 11) {
          postgres.restart();
          counts.restarts += 1;
        }
      }
    })();
    await environment.waitUntilDelivered(maxSeconds, () => environment.makeRetriesDue());
    isOver = true;
    workers.stop();
    await Promise.all([killing, terminating]);
    const { accepted } = environment.receiver;
    const byRecipient = Map.groupBy(accepted, ({ to }) => to);
    return {
      recipients,
      missing: recipients - byRecipient.size,
      duplicates: accepted.length - byRecipient.size,
      kills: workers.kills,
      ...counts,
      extraMessageIds: [...byRecipient.values()].filter(
        mails => new Set(mails.map(({ messageId }) => messageId)).size > 1,
      ).length,
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    await environment.close();
  }
}

/** Deterministic, so that a recipient gets the same responses in every run. */
export function unreliableBehaviour(to: string, attempt: number) {
  const number = Number(/\d+/.exec(to)![0]);
  const random = ((number * 7919 + attempt * 104_729) % 1_000) / 1_000;
  if (number % 10 === 0 && attempt === 1) return { reject: 'recipient' as const };
  if (random < 0.15) return { reject: 'recipient' as const };
  if (random < 0.3) return { reject: 'content' as const };
  return random > 0.98 ? { delayMs: 300 } : undefined;
}
