import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** `npm run bench -- <name> [arguments]` builds the service and runs bench/<name>.ts; without a name it lists them. */
const benchmarks: Record<string, string> = {
  alerts: '10,000 alerts of a monitor in a minute, and visits and writes meanwhile',
  'anonymous-queries': 'visits and writes beside expensive queries without a token',
  away: 'visits while PostgreSQL is down for a minute (prints)',
  console: 'an incident in the console, on a slow phone',
  'crowded-pages': 'what pages with 20,000 notices cost other pages',
  failover: 'writes, visits and mails while the primary of a cluster fails; needs patroni and etcd-server',
  faults: 'guarantees of notifications while processes and the database are killed; takes names of scenarios',
  floods: 'visits and writes beside 600 requests a second that no cache answers',
  idle: 'CPU time of a service that nobody uses',
  imports: 'import of 100,000 subscribers, and `openIncident` meanwhile',
  live: '10,000 watchers of a page',
  mail: 'rate, memory and losses of the e-mail channel',
  memory: 'resident memory at start, at rest and under load; 14 minutes (prints)',
  metrics: 'a page with 20 metrics against one without',
  'network-cuts': '200 incidents published in the console while the network is cut',
  overload: 'ten times as many lists as can be answered; clients that read nothing',
  parsers: 'the worst input of each parser in the main thread',
  pages: 'public pages against bare node:http',
  previews: 'writes and visits beside previews',
  reads: 'lists against a handwritten statement and PostGraphile',
  restarts: 'rolling restarts, and a database whose connections go silent',
  scale: 'a page with 1,000,000 notices, and one with 1,000,000 subscribers, against 1,000',
  'slow-themes': 'changes of pages beside 50 slow themes',
  stop: 'how soon a publication stops',
  'subscriber-search': 'searches of 1,000,000 subscribers',
  'theme-archives': 'hostile theme archives (prints)',
  themes: 'hostile themes (prints)',
  writes: 'creation of incidents against pgbench and handwritten statements',
};

const [name, ...names] = process.argv.slice(2);

if (name && name in benchmarks) {
  // Of `npm ci --prefix bench`.
  const PATH = [join(import.meta.dirname, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH };
  const run = (command: string, parameters: string[]) =>
    spawnSync(command, parameters, { stdio: 'inherit', env }).status ?? 1;
  process.exitCode =
    run('npm', ['run', '-s', 'build']) || run(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...names]);
} else {
  const rows = Object.entries(benchmarks).map(([key, text]) => `  ${key.padEnd(18)} ${text}\n`);
  process.stderr.write(`usage: npm run bench -- <name>\n\n${rows.join('')}
Each writes docs/performance/<name>.md, unless it prints its figures. Those that send load need \`npm ci --prefix bench\` once, or wrk for all but \`reads\`.\n`);
  process.exitCode = name ? 2 : 0;
}
