import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { deliver, type DeliveryResult } from './faults/deliveries.ts';
import { postgres } from './faults/environment.ts';
import { publishBesideRetries } from './faults/freshness.ts';
import { catchUp, startBesideKills } from './faults/schedule.ts';
import { createBrokenBuild, removeBrokenBuild, type variants } from './faults/variants.ts';
import { surviveStorm } from './faults/storm.ts';
import { killWrites } from './faults/writes.ts';

/**
 * Checks the guarantees of notifications while processes, connections and the database are killed: `npm run bench -- faults`, or
 * `npm run bench -- faults kills writes` for some of the scenarios. Each scenario also runs against a build with a deliberate
 * defect, where the guarantee must not hold: otherwise the check proves nothing. FAULTS_SIZE=0.1 runs a tenth of the
 * size, and then reports what is late without failing. A run of all scenarios at full size is written to docs/performance/faults.md.
 */
const size = Number(process.env.FAULTS_SIZE ?? 1);
const scale = (number: number, minimum = 1) => Math.max(Math.round(number * size), minimum);

interface Scenario {
  name: string;
  guarantee: string;
  /** Returns the figures, and whether they meet the guarantee, and its times. */
  run(build?: string): Promise<{ result: object; isMet: boolean; isInTime: boolean }>;
  /** The defect with which the guarantee must not hold. */
  defect: keyof typeof variants;
}

const scenario = <Result extends object>(
  name: string,
  guarantee: string,
  measure: (build?: string) => Promise<Result>,
  isMet: (result: Result) => boolean,
  defect: keyof typeof variants,
  isInTime: (result: Result) => boolean = () => true,
): Scenario => ({
  name,
  guarantee,
  defect,
  run: async build => {
    const result = await measure(build);
    return { result, isMet: isMet(result), isInTime: isInTime(result) };
  },
});

const isComplete = ({ missing }: DeliveryResult) => missing === 0;

const scenarios: Scenario[] = [
  scenario(
    'calm',
    'no faults, 10,000 recipients, 3 workers: 0 missing, 0 duplicates',
    build => deliver({ recipients: scale(10_000), build, maxSeconds: 120 }),
    result => isComplete(result) && result.duplicates === 0,
    'leases do not lock',
  ),
  scenario(
    'kills',
    'SIGKILL of a worker every 400 ms, backends terminated, PostgreSQL restarted without shutdown, 30 % of replies ' +
      '451, greylisting, slow replies: 0 missing, at most 32 duplicates a kill, each with the same Message-ID',
    build =>
      deliver({
        recipients: scale(10_000),
        build,
        killEveryMs: 400,
        database: true,
        unreliable: true,
        maxSeconds: build ? 40 : 600,
      }),
    result => isComplete(result) && result.duplicates <= result.kills * 32 && result.extraMessageIds === 0,
    'expired leases are not taken over',
  ),
  scenario(
    'message-ids',
    'whatever is killed, all e-mails of one delivery have the same Message-ID',
    build => deliver({ recipients: scale(3_000), build, killEveryMs: 400, unreliable: true, maxSeconds: 120 }),
    result => result.extraMessageIds === 0,
    'every attempt has a new Message-ID',
  ),
  scenario(
    'fresh',
    '20,000 retries to a dead domain are due: the first e-mail of a new notice within 1 s, 500 of them within 5 s',
    build => publishBesideRetries({ retries: scale(20_000), build }),
    result => result.isComplete,
    'first in, first out',
    result => result.first <= 1 && result.all <= 5,
  ),
  scenario(
    'starts',
    '500 automated notices, 3 processes with clocks 5 minutes apart, one killed every 500 ms: 500 starts, none ' +
      'duplicate, none early, p99 within 1 s',
    build => startBesideKills({ notices: scale(500), build }),
    result =>
      result.started === result.notices && result.duplicates === 0 && result.unpublished === 0 && result.early === 0,
    'early by 300 ms',
    result => result.p99 <= 1,
  ),
  scenario(
    'absence',
    'no process during the whole window: both transitions in order at the start, one publication each',
    build => catchUp({ notices: scale(500), build }),
    result => result.correct === result.notices,
    'the second transition is missed',
  ),
  scenario(
    'writes',
    'the service killed at 500 seeded points of the write of a notice: published exactly if committed',
    build => killWrites({ points: build ? scale(200, 60) : scale(500), build }),
    result => result.unpublished === 0 && result.unfounded === 0,
    'published after the commit',
  ),
  scenario(
    'storm',
    '22 times SIGKILL of one of two services and a worker, PostgreSQL restarted twice without shutdown, while two ' +
      'clients publish, alerts begin and end, updates become due, 30 % of mails and each fourth webhook are refused at ' +
      'first: each acknowledged notice is there once, each of its mails and webhooks and each mail to operators arrives, ' +
      'at most 32 of them again a kill, and with the same id',
    build => surviveStorm({ kills: scale(22, 5), build }),
    result =>
      result.lostWrites + result.doubledWrites + result.lostMails + result.lostOperatorMails + result.lostWebhooks ===
        0 &&
      result.unrecognizable === 0 &&
      result.repeated <= (result.kills + 3 * result.restarts) * 32,
    'a mail to operators counts as sent when it is begun',
  ),
];

/** What a test shows, which needs no faults. */
const tested: [guarantee: string, test: string][] = [
  [
    'a relay refuses all of three publications to 50 recipients, in any words, and then accepts them: nobody suspended, each mail once',
    'notifications/refusals',
  ],
  [
    'a quota ends after 20 of 100 mails: 80 wait without a try, and arrive once when it is over',
    'notifications/refusals',
  ],
  [
    'a notice names other components, or loses, deletes or moves them, and people come, leave and choose anew: whom an earlier message reached is notified of the end',
    'notifications/final-messages',
  ],
  [
    'three outages of one alert in a week, with a silence, a daily quota, bounces by webhook and Terraform beside them: each person is notified of each begin and end once',
    'notifications/week-of-outages',
  ],
  [
    'the end of an alert never comes, or its draft still waits: those who may publish are notified of the next outage',
    'alerts/draft-report',
  ],
];
const loadAverage = loadavg()[1]!;
const selected = process.argv.slice(2);
let hasFailed = false;
const rows: string[] = [];
const formatFigures = (result: object) =>
  Object.entries(result)
    .map(([key, value]) => `${key} ${typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(2) : value}`)
    .join(', ');
const report = (name: string, guarantee: string, verdict: string, result: object) => {
  process.stdout.write(`${name.padEnd(12)} ${verdict.padEnd(30)} ${formatFigures(result)}\n`);
  rows.push(`| ${guarantee} | ${verdict} | ${formatFigures(result)} |`);
};

try {
  for (const scenario of scenarios.filter(one => !selected.length || selected.includes(one.name)))
    await runBoth(scenario);
} finally {
  postgres.script('stop');
}
if (!selected.length && size === 1)
  writeFileSync(new URL('../docs/performance/faults.md', import.meta.url), renderDocument());
process.exit(hasFailed ? 1 : 0);

/** Runs a scenario on the build, and on one with its defect. */
async function runBoth({ name, guarantee, run, defect }: Scenario): Promise<void> {
  const { result, isMet, isInTime } = await run();
  const late = `holds, but late, at a load average of ${loadavg()[1]!.toFixed(1)}`;
  report(name, guarantee, isMet ? (isInTime ? 'holds' : late) : 'DOES NOT HOLD', result);
  hasFailed ||= !isMet || (!isInTime && size === 1);
  const folder = createBrokenBuild(defect);
  const broken = await run(folder).finally(() => removeBrokenBuild(folder));
  report(
    name,
    `the same, with a deliberate defect: ${defect}`,
    broken.isMet && broken.isInTime ? 'HOLDS IN SPITE OF THE DEFECT' : 'defect detected',
    broken.result,
  );
  hasFailed ||= broken.isMet && broken.isInTime;
}

function renderDocument(): string {
  const machine = `${cpus().length} cores of ${cpus()[0]!.model.trim()}`;
  return `# Notifications under faults

Generated by \`npm run bench -- faults\`. ${machine}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)};
the SMTP server, the workers and PostgreSQL run on the same machine, whose load average was ${loadAverage.toFixed(1)} before.
Times are goals for a machine that does nothing else.

| guarantee | verdict | figures |
|---|---|---|
${rows.join('\n')}
${tested.map(([row, file]) => `| ${row} | holds | \`test/database/${file}.test.ts\` |`).join('\n')}
`;
}
