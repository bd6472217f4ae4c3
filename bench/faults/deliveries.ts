import { setTimeout as sleep } from 'node:timers/promises';
import { Crew } from './crew.ts';
import { server, World } from './world.ts';

export interface Delivered {
  recipients: number;
  missing: number;
  doubles: number;
  /** Recipients who saw more than one Message-ID of one delivery. */
  otherIds: number;
  kills: number;
  backends: number;
  restarts: number;
  seconds: number;
}

export interface Faults {
  recipients: number;
  build?: string;
  /** Milliseconds between two kills; 0 for none. */
  killEvery?: number;
  /** Also ends connections of the database, and the database itself. */
  database?: boolean;
  /** 30 % of answers 451, one in ten recipients put on a grey list, one in fifty answers slow. */
  bad?: boolean;
  /** At most. */
  seconds: number;
}

/** 10,000 recipients, three workers, and what can happen to them. */
export async function deliver({
  recipients,
  build,
  killEvery = 0,
  database = false,
  bad = false,
  seconds,
}: Faults): Promise<Delivered> {
  const world = await World.open(build);
  try {
    if (bad) world.receiver.manners = manners;
    const page = await world.page(recipients);
    const counted = { backends: 0, restarts: 0 };
    const crew = new Crew(world, 3);
    await crew.ready();
    const begun = performance.now();
    await world.notice(page);
    let over = false;
    const killing = killEvery ? crew.killEvery(killEvery, () => over) : undefined;
    const ending = (async () => {
      while (database && !over) {
        await sleep(700);
        const rows = await world.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults' and pid <> pg_backend_pid() order by random() limit 1`,
        );
        counted.backends += rows.length;
        if (counted.backends % 12 === 11) {
          server.restart();
          counted.restarts += 1;
        }
      }
    })();
    await world.settle(seconds, () => world.hurry());
    over = true;
    crew.dismiss();
    await Promise.all([killing, ending]);
    const ids = Map.groupBy(world.receiver.taken, ({ to }) => to);
    return {
      ...{
        recipients,
        missing: recipients - ids.size,
        doubles: world.receiver.taken.length - ids.size,
        kills: crew.kills,
        ...counted,
      },
      otherIds: [...ids.values()].filter(all => new Set(all.map(({ messageId }) => messageId)).size > 1).length,
      seconds: (performance.now() - begun) / 1_000,
    };
  } finally {
    await world.close();
  }
}

/** The same of every recipient at every run. */
function manners(to: string, times: number) {
  const number = Number(/\d+/.exec(to)![0]);
  const random = ((number * 7919 + times * 104_729) % 1_000) / 1_000;
  if (number % 10 === 0 && times === 1) return { refuse: 'recipient' as const };
  if (random < 0.15) return { refuse: 'recipient' as const };
  if (random < 0.3) return { refuse: 'content' as const };
  return random > 0.98 ? { after: 300 } : undefined;
}
