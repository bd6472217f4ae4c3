import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Delivered, deliver } from './faults/deliveries.ts';
import { publishBesideRetries } from './faults/freshness.ts';
import { moveAfterAbsence, moveBesideKills } from './faults/moves.ts';
import { broken, removeBroken, type variants } from './faults/variants.ts';
import { killWrites } from './faults/writes.ts';
import { server } from './faults/world.ts';

/**
 * Holds the service to what it promises while everything that can end is ended: `npm run faults`, or `npm run faults -- kills writes` for some of it.
 * Each property is also looked for in a variant that is broken on purpose, where it must not hold: else the look is worth nothing. FAULTS_SIZE=1 is the size
 * of the promise, 0.1 a tenth of it. A run of everything at the size of the promise is written to docs/telling-under-faults.md.
 */
const size = Number(process.env.FAULTS_SIZE ?? 1);
const sized = (number: number, least = 1) => Math.max(Math.round(number * size), least);

interface Look {
  name: string;
  /** What is promised. */
  promise: string;
  /** What was seen, and whether it is as promised. */
  run(build?: string): Promise<{ seen: object; holds: boolean }>;
  /** Where it must not hold. */
  control?: keyof typeof variants;
}

const look = <Seen extends object>(
  name: string,
  promise: string,
  see: (build?: string) => Promise<Seen>,
  isRight: (seen: Seen) => boolean,
  control?: keyof typeof variants,
): Look => ({
  name,
  promise,
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
    'no faults, 10,000 recipients, 3 workers: 0 missing, 0 double',
    build => deliver({ recipients: sized(10_000), build, seconds: 120 }),
    seen => whole(seen) && seen.doubles === 0,
    'nobody locks',
  ),
  look(
    'kills',
    'SIGKILL of a worker every 400 ms, backends ended, PostgreSQL restarted at once, 30 % of answers 451, greylisting, slow answers: 0 missing, at most 32 doubles a kill, each with the same Message-ID',
    build =>
      deliver({
        recipients: sized(10_000),
        build,
        killEvery: 400,
        database: true,
        bad: true,
        seconds: build ? 40 : 300,
      }),
    seen => whole(seen) && seen.doubles <= seen.kills * 32 && seen.otherIds === 0,
    'nobody takes over',
  ),
  look(
    'message-ids',
    'whatever is killed, every mail of one delivery has one Message-ID',
    build => deliver({ recipients: sized(3_000), build, killEvery: 400, bad: true, seconds: 120 }),
    seen => seen.otherIds === 0,
    'every attempt has a Message-ID of its own',
  ),
  look(
    'fresh',
    '20,000 retries to a dead domain are due: the first mail of a fresh notice within 1 s, 500 of them within 5 s',
    build => publishBesideRetries({ retries: sized(20_000), build }),
    seen => seen.first <= 1 && seen.all <= 5,
    'first in, first out',
  ),
  look(
    'moves',
    '500 automated notices, 3 processes with clocks 5 minutes apart, killed every 500 ms: 500 moves, none double, none early, p99 within 1 s',
    build => moveBesideKills({ notices: sized(500), build }),
    seen => seen.moved === seen.notices && seen.double === 0 && seen.untold === 0 && seen.early === 0 && seen.p99 <= 1,
    'early by 300 ms',
  ),
  look(
    'absence',
    'down over the whole window: both moves in order at the start, one publication each',
    build => moveAfterAbsence({ notices: sized(500), build }),
    seen => seen.right === seen.notices,
    'the second move is forgotten',
  ),
  look(
    'writes',
    'the service killed at 500 seeded points of the write of a notice: published = committed, both ways',
    build => killWrites({ points: build ? sized(200, 60) : sized(500), build }),
    seen => seen.untold === 0 && seen.unfounded === 0 && seen.there > 0 && seen.notThere > 0,
    'told after the commit',
  ),
];

const asked = process.argv.slice(2);
let failed = false;
const rows: string[] = [];
const figuresOf = (seen: object) =>
  Object.entries(seen)
    .map(([key, value]) => `${key} ${typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : value}`)
    .join(', ');
const report = (name: string, promise: string, sentence: string, seen: object) => {
  process.stdout.write(`${name.padEnd(12)} ${sentence.padEnd(34)} ${figuresOf(seen)}\n`);
  rows.push(`| ${promise} | ${sentence} | ${figuresOf(seen)} |`);
};

for (const { name, promise, run, control } of looks.filter(one => !asked.length || asked.includes(one.name))) {
  const { seen, holds } = await run();
  report(name, promise, holds ? 'holds' : 'DOES NOT HOLD', seen);
  failed ||= !holds;
  if (!control) continue;
  const folder = broken(control);
  const wrong = await run(folder).finally(() => removeBroken(folder));
  report(
    name,
    `the same, of a build that is broken on purpose: ${control}`,
    wrong.holds ? 'HOLDS ALTHOUGH IT IS BROKEN' : 'is seen to break',
    wrong.seen,
  );
  failed ||= wrong.holds;
}
server.script('stop');
if (!asked.length && size === 1) writeFileSync(new URL('../docs/telling-under-faults.md', import.meta.url), document());
process.exit(failed ? 1 : 0);

function document(): string {
  return `# Telling people while everything fails

Written by \`npm run faults\`; not by hand. On ${cpus().length} cores of ${cpus()[0]!.model.trim()} with Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; the receiver of mail, the workers and PostgreSQL are on the one machine.

| promised | | seen |
|---|---|---|
${rows.join('\n')}
`;
}
