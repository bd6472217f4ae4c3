import { setTimeout as sleep } from 'node:timers/promises';
import { FaultEnvironment } from './environment.ts';
import { Supervisor, times } from './supervisor.ts';

export interface StartResult {
  notices: number;
  started: number;
  /** Publications beyond one a transition. */
  duplicates: number;
  /** Transitions without a publication. */
  unpublished: number;
  early: number;
  /** Seconds after the scheduled time, 99th percentile. */
  p99: number;
  kills: number;
}

const flags = ['--import', new URL('clock.mjs', import.meta.url).href];

/**
 * Maintenances start automatically within some seconds, by three processes whose clocks differ by five minutes, of
 * which one is killed every half second.
 */
export async function startBesideKills({ notices, build }: { notices: number; build?: string }): Promise<StartResult> {
  const environment = await FaultEnvironment.open(build);
  try {
    const page = await environment.createPage(0);
    const from = 8;
    const to = from + 12;
    for (let number = 0; number < notices; number++) await createMaintenance(environment, page);
    // Written directly to the database, because creating them takes longer than the seconds over which they start.
    await environment.query(
      `update notice set ends_at = base + interval '1 hour',
         begins_at = base
           + ($2::float8 + ($3::float8 - $2::float8 - 2) * (row_number::float8 / $4::float8)) * interval '1 second'
       from (select id, row_number() over (order by id) from notice where page_id = $1) numbered,
         (select clock_timestamp() as base) clock
       where notice.id = numbered.id`,
      [page, from, to, notices],
    );
    const offsets = (index: number) => ({ CLOCK_OFFSET_MS: String((index - 1) * 5 * 60_000) });
    const workers = new Supervisor(times(3, index => environment.startWorker(offsets(index), flags)));
    await sleep((from - 1) * 1_000);
    const until = performance.now() + (to - from + 2) * 1_000;
    await workers.killEvery(500, () => performance.now() > until);
    const { kills } = workers;
    const countStarted = () =>
      environment.query<{ n: number }>(`select count(*)::integer as n from notice where state = 'underway'`);
    // On a busy machine some are late; whether any is missing, or started twice, is another question.
    for (let tries = 0; tries < 60 && (await countStarted())[0]!.n < notices; tries++) await sleep(1_000);
    await sleep(3_000);
    workers.stop();
    const [row] = await environment.query<Omit<StartResult, 'notices' | 'kills'>>(
      `select count(*) filter (where state = 'underway')::integer as started,
         count(*) filter (where began_at < begins_at)::integer as early,
         coalesce(sum(greatest(published - 1, 0)), 0)::integer as duplicates,
         count(*) filter (where published = 0)::integer as unpublished,
         coalesce(percentile_cont(0.99) within group (order by extract(epoch from began_at - begins_at)), 60)::float8
           as p99
       from (
         select n.*, (select count(*) from publication p where p.notice_id = n.id and p.event = 'begun') as published
         from notice n
       ) n`,
    );
    return { notices, kills, ...row! };
  } finally {
    await environment.close();
  }
}

const createMaintenance = (environment: FaultEnvironment, page: string) =>
  environment.createNotice(page, {
    type: 'planned',
    begins_at_date: '2099-01-01',
    begins_at_time: '00:00',
    duration_in_minutes: 60,
    should_automate_schedule: true,
    initial_comment: undefined,
  });

/** No process runs during the whole window. At the start both transitions are made in order, and each is published. */
export async function catchUp({
  notices,
  build,
}: {
  notices: number;
  build?: string;
}): Promise<{ notices: number; begun: number; correct: number; seconds: number }> {
  const environment = await FaultEnvironment.open(build);
  try {
    const page = await environment.createPage(0);
    for (let number = 0; number < notices; number++) await createMaintenance(environment, page);
    await environment.query(
      `update notice set begins_at = clock_timestamp() - interval '2 hours',
         ends_at = clock_timestamp() - interval '1 hour'`,
    );
    const startedAt = performance.now();
    for (let number = 0; number < 3; number++) environment.startWorker();
    const countCorrect = async () =>
      (
        await environment.query<{ n: number }>(
          `select count(*)::integer as n from notice n
           where state = 'complete' and began_at is not null and ended_at >= began_at
             and array(select event from publication p where p.notice_id = n.id order by p.id)
               = array['scheduled', 'begun', 'completed']`,
        )
      )[0]!.n;
    for (let tries = 0; tries < 300 && (await countCorrect()) < notices; tries++) await sleep(100);
    const seconds = (performance.now() - startedAt) / 1_000;
    const [row] = await environment.query<{ begun: number }>(
      'select count(began_at)::integer as begun from notice where page_id = $1',
      [page],
    );
    return { notices, begun: row!.begun, correct: await countCorrect(), seconds };
  } finally {
    await environment.close();
  }
}
