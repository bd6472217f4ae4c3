import { setTimeout as sleep } from 'node:timers/promises';
import { World } from './world.ts';

export interface Written {
  points: number;
  /** Kills that came before the notice was there, and after. */
  notThere: number;
  there: number;
  /** Notices without a publication, and publications without a notice. */
  untold: number;
  unfounded: number;
}

/** The service is killed at points of a notice write, each so long after the request as the seed says. What is told is what was committed, both ways. */
export async function killWrites({
  points,
  build,
  within = 120,
}: {
  points: number;
  build?: string;
  within?: number;
}): Promise<Written> {
  const world = await World.open(build);
  try {
    const page = await world.page(3);
    await world.stopServing();
    let seed = 20_261_121;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const moments = Array.from({ length: points }, (_, point) => ({ point, wait: random() * within }));
    // To start takes longest: while one process is killed another starts.
    const lane = async (port: number): Promise<void> => {
      for (let next = moments.shift(); next; next = moments.shift()) {
        const child = await world.serve(port);
        // The first request of a process takes longer than any other: it is not what is looked at.
        await world.notice(page, { should_publish: false }, port).catch(() => {});
        const request = world.notice(page, { subject: `At ${next.point}` }, port).catch(() => 0);
        await sleep(next.wait);
        child.kill('SIGKILL');
        await Promise.all([
          request,
          new Promise(done =>
            child.exitCode === null && child.signalCode === null ? child.once('exit', done) : done(null),
          ),
        ]);
      }
    };
    await Promise.all([3991, 3992].map(lane));
    // What a killed process began the database ends in a moment.
    await sleep(1_000);
    const [row] = await world.query<Record<'there' | 'untold' | 'unfounded', number>>(
      `select (select count(*) from notice where subject like 'At %')::integer as there,
         (select count(*) from notice n where subject like 'At %' and (select count(*) from publication p where p.notice_id = n.id) <> 1)::integer as untold,
         (select count(*) from publication p where not exists (select 1 from notice n where n.id = p.notice_id))::integer as unfounded`,
    );
    return { points, notThere: points - row!.there, ...row! };
  } finally {
    await world.close();
  }
}
