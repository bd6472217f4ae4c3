import { setTimeout as sleep } from 'node:timers/promises';
import { Crew } from './crew.ts';
import { World } from './world.ts';

export interface Moved {
  notices: number;
  moved: number;
  /** Publications beyond one a move, and moves without one. */
  double: number;
  untold: number;
  early: number;
  /** Seconds after its time, of 99 in 100. */
  p99: number;
  kills: number;
}

const flags = ['--import', new URL('clock.mjs', import.meta.url).href];

/** Maintenances begin by themselves within some seconds; three processes move them, with clocks five minutes apart, one killed every half second. */
export async function moveBesideKills({ notices, build }: { notices: number; build?: string }): Promise<Moved> {
  const world = await World.open(build);
  try {
    const page = await world.page(0);
    const from = 8;
    const over = from + 12;
    const ids: number[] = [];
    for (let at = 0; at < notices; at++) ids.push(await planned(world, page));
    // By the database's clock, spread over some seconds; behind the service's back, for the time it takes to make them.
    await world.query(
      `update notice set begins_at = base + ($2::float8 + ($3::float8 - $2::float8 - 2) * (row_number::float8 / $4::float8)) * interval '1 second', ends_at = base + interval '1 hour'
       from (select id, row_number() over (order by id) from notice where page_id = $1) numbered, (select clock_timestamp() as base) clock
       where notice.id = numbered.id`,
      [page, from, over, notices],
    );
    const crew = new Crew(world, 3, place => ({ CLOCK_OFF: String((place - 1) * 5 * 60_000) }), flags);
    await sleep((from - 1) * 1_000);
    const until = performance.now() + (over - from + 2) * 1_000;
    await crew.killEvery(500, () => performance.now() > until);
    const { kills } = crew;
    await sleep(3_000);
    crew.dismiss();
    const [row] = await world.query<Omit<Moved, 'notices' | 'kills'>>(
      `select count(*) filter (where state = 'underway')::integer as moved, count(*) filter (where began_at < begins_at)::integer as early,
         coalesce(sum(greatest(told - 1, 0)), 0)::integer as double, count(*) filter (where told = 0)::integer as untold,
         coalesce(percentile_cont(0.99) within group (order by extract(epoch from began_at - begins_at)), 60)::float8 as p99
       from (select n.*, (select count(*) from publication p where p.notice_id = n.id and p.event = 'begun') as told from notice n) n`,
    );
    return { notices, kills, ...row! };
  } finally {
    await world.close();
  }
}

const planned = (world: World, page: string) =>
  world.notice(page, {
    ...{
      type: 'planned',
      begins_at_date: '2099-01-01',
      begins_at_time: '00:00',
      duration_in_minutes: 60,
      should_automate_schedule: true,
    },
    initial_comment: undefined,
  });

/** Nobody was there over the whole window: both moves are made at the start, in order, and each is told. */
export async function moveAfterAbsence({
  notices,
  build,
}: {
  notices: number;
  build?: string;
}): Promise<{ notices: number; right: number; seconds: number }> {
  const world = await World.open(build);
  try {
    const page = await world.page(0);
    for (let at = 0; at < notices; at++) await planned(world, page);
    await world.query(
      `update notice set begins_at = clock_timestamp() - interval '2 hours', ends_at = clock_timestamp() - interval '1 hour'`,
    );
    const begun = performance.now();
    for (let number = 0; number < 3; number++) world.worker();
    const right = async () =>
      (
        await world.query<{ n: number }>(
          `select count(*)::integer as n from notice n where state = 'complete' and began_at is not null and ended_at >= began_at
             and array(select event from publication p where p.notice_id = n.id order by p.id) = array['scheduled', 'begun', 'completed']`,
        )
      )[0]!.n;
    for (let tries = 0; tries < 300 && (await right()) < notices; tries++) await sleep(100);
    return { notices, right: await right(), seconds: (performance.now() - begun) / 1_000 };
  } finally {
    await world.close();
  }
}
