import { type Delivered, deliver } from './faults/deliveries.ts';
import { publishBesideRetries } from './faults/freshness.ts';
import { moveAfterAbsence, moveBesideKills } from './faults/moves.ts';
import { broken, removeBroken, type variants } from './faults/variants.ts';
import { killWrites } from './faults/writes.ts';
import { server } from './faults/world.ts';

/**
 * Holds the service to what it promises while everything that can end is ended: `npm run faults`, or `npm run faults -- kills writes` for some of it.
 * Each property is also looked for in a variant that is broken on purpose, where it must not hold: else the look is worth nothing. FAULTS_SIZE=1 is the size
 * of the promise, 0.1 a tenth of it.
 */
const size = Number(process.env.FAULTS_SIZE ?? 1);
const sized = (number: number, least = 1) => Math.max(Math.round(number * size), least);

interface Look {
  name: string;
  /** What was seen, and whether it is as promised. */
  run(build?: string): Promise<{ seen: object; holds: boolean }>;
  /** Where it must not hold. */
  control?: keyof typeof variants;
}

const look = <Seen extends object>(
  name: string,
  see: (build?: string) => Promise<Seen>,
  isRight: (seen: Seen) => boolean,
  control?: keyof typeof variants,
): Look => ({
  name,
  control,
  run: async build => {
    const seen = await see(build);
    return { seen, holds: isRight(seen) };
  },
});

const whole = ({ missing }: Delivered) => missing === 0;

const looks: Look[] = [
  look(
    'calm',
    build => deliver({ recipients: sized(10_000), build, seconds: 120 }),
    seen => whole(seen) && seen.doubles === 0,
    'nobody locks',
  ),
  look(
    'kills',
    build => deliver({ recipients: sized(10_000), build, killEvery: 400, database: true, bad: true, seconds: build ? 40 : 300 }),
    seen => whole(seen) && seen.doubles <= seen.kills * 32 && seen.otherIds === 0,
    'nobody takes over',
  ),
  look(
    'message-ids',
    build => deliver({ recipients: sized(3_000), build, killEvery: 400, bad: true, seconds: 120 }),
    seen => seen.otherIds === 0,
    'every attempt has a Message-ID of its own',
  ),
  look(
    'writes',
    build => killWrites({ points: build ? sized(200, 60) : sized(500), build }),
    seen => seen.untold === 0 && seen.unfounded === 0 && seen.there > 0 && seen.notThere > 0,
    'told after the commit',
  ),
  look(
    'fresh',
    build => publishBesideRetries({ retries: sized(20_000), build }),
    seen => seen.first <= 1 && seen.all <= 5,
    'first in, first out',
  ),
  look(
    'moves',
    build => moveBesideKills({ notices: sized(500), build }),
    seen => seen.moved === seen.notices && seen.double === 0 && seen.untold === 0 && seen.early === 0 && seen.p99 <= 1,
    'early by 300 ms',
  ),
  look(
    'absence',
    () => moveAfterAbsence({ notices: sized(500) }),
    seen => seen.right === seen.notices,
  ),
];

const asked = process.argv.slice(2);
let failed = false;
const report = (name: string, sentence: string, seen: object) => {
  const figures = Object.entries(seen).map(([key, value]) => `${key} ${typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : value}`);
  process.stdout.write(`${name.padEnd(12)} ${sentence.padEnd(34)} ${figures.join(', ')}\n`);
};

for (const { name, run, control } of looks.filter(one => !asked.length || asked.includes(one.name))) {
  const { seen, holds } = await run();
  report(name, holds ? 'holds' : 'DOES NOT HOLD', seen);
  failed ||= !holds;
  if (!control) continue;
  const folder = broken(control);
  const wrong = await run(folder).finally(() => removeBroken(folder));
  report(name, wrong.holds ? `HOLDS ALTHOUGH: ${control}` : `is seen to break: ${control}`, wrong.seen);
  failed ||= wrong.holds;
}
server.script('stop');
process.exit(failed ? 1 : 0);
