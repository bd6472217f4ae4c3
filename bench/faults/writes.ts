import { setTimeout as sleep } from 'node:timers/promises';
import { FaultEnvironment } from './environment.ts';

export interface WriteResult {
  points: number;
  /** Kills before the notice was committed, and after. */
  uncommitted: number;
  committed: number;
  /** Notices without a publication, and publications without a notice. */
  unpublished: number;
  unfounded: number;
}

/** Kills the service at seeded points of the write of a notice. A publication exists exactly for committed notices. */
export async function killWrites({
  points,
  build,
  withinMs = 120,
}: {
  points: number;
  build?: string;
  withinMs?: number;
}): Promise<WriteResult> {
  const environment = await FaultEnvironment.open(build);
  try {
    const page = await environment.createPage(3);
    await environment.stopService();
    let seed = 20_261_121;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const queue = Array.from({ length: points }, (_, point) => ({ point, delayMs: random() * withinMs }));
    // Two at a time: while one process is killed another one starts, which takes longest.
    const runLane = async (port: number): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const child = await environment.startService(port);
        // The first request of a process is slower than all others, so it is not the one that is interrupted.
        await environment.createNotice(page, { should_publish: false }, port).catch(() => {});
        const request = environment.createNotice(page, { subject: `At ${next.point}` }, port).catch(() => 0);
        await sleep(next.delayMs);
        child.kill('SIGKILL');
        await Promise.all([
          request,
          new Promise(done =>
            child.exitCode === null && child.signalCode === null ? child.once('exit', done) : done(null),
          ),
        ]);
      }
    };
    await Promise.all([3991, 3992].map(runLane));
    // The database rolls back the transactions of a killed process a moment later.
    await sleep(1_000);
    const [row] = await environment.query<Record<'committed' | 'unpublished' | 'unfounded', number>>(
      `select (select count(*) from notice where subject like 'At %')::integer as committed,
         (select count(*) from notice n
          where subject like 'At %' and (select count(*) from publication p where p.notice_id = n.id) <> 1)::integer
           as unpublished,
         (select count(*) from publication p
          where not exists (select 1 from notice n where n.id = p.notice_id))::integer as unfounded`,
    );
    if (row!.committed === 0 || row!.committed === points)
      throw new Error(
        `${row!.committed} of ${points} notices were committed: no kill came before a commit, or none after one.`,
      );
    return { points, uncommitted: points - row!.committed, ...row! };
  } finally {
    await environment.close();
  }
}
