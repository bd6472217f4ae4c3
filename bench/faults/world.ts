import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Receiver } from './receiver.ts';

const root = new URL('../..', import.meta.url).pathname;
const token = 'a-token-for-the-faults-of-the-bench-0001';
const port = 3990;

/** A PostgreSQL of its own, which may be ended as it comes. It writes to the disk as one in earnest does. */
export const server = {
  environment: {
    ...process.env,
    POSTGRES_PORT: '55451',
    POSTGRES_FOLDER: '/tmp/all-clear-faults-pg',
    POSTGRES_FSYNC: 'on',
  },
  script: (word: string) =>
    execFileSync(`${root}scripts/postgres.sh`, [word], { env: server.environment, encoding: 'utf8' }).trim(),
  /** Ends all at once, as a machine does that loses its power, and starts again. */
  restart() {
    const bin =
      process.env.PGBIN ??
      execFileSync('bash', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1'], {
        encoding: 'utf8',
      }).trim();
    const folder = server.environment.POSTGRES_FOLDER;
    const words = [`${bin}/pg_ctl`, '-D', `${folder}/data`, '-l', `${folder}/log`, '-m', 'immediate', '-w', 'restart'];
    const [program, ...rest] =
      process.getuid?.() === 0
        ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--', ...words]
        : words;
    execFileSync(program!, rest, { cwd: '/', stdio: 'ignore' });
  },
};

/** A database, a receiver of mail and the service on them; the processes that tell are started and killed by who looks. */
export class World {
  readonly receiver = new Receiver();
  private readonly processes = new Set<ChildProcess>();
  private pool!: pg.Pool;
  private environment!: Record<string, string>;
  private serving: ChildProcess | undefined;

  /** The folder of the build: that of what is right, or of a broken variant. */
  private readonly build: string;

  constructor(build = 'dist') {
    this.build = build;
  }

  static async open(build?: string): Promise<World> {
    const world = new World(build);
    const url = server.script('start');
    const client = new pg.Client(url);
    await client.connect();
    await client.query('drop database if exists faults with (force)');
    await client.query('create database faults');
    await client.end();
    const databaseUrl = url.replace(/postgres$/, 'faults');
    world.pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    world.pool.on('error', () => {});
    world.environment = {
      ...{
        PATH: process.env.PATH!,
        NODE_ENV: 'production',
        LOG_LEVEL: 'error',
        DATABASE_URL: databaseUrl,
        DATA_DIR: mkdtempSync(join(tmpdir(), 'faults-')),
      },
      ...{
        SMTP_URL: await world.receiver.listen(),
        MAIL_FROM: 'status@example.com',
        BOOTSTRAP_TOKEN: token,
        METRICS: 'false',
      },
      DATABASE_CONNECTIONS: '6',
    };
    await world.serve();
    return world;
  }

  /** The service that takes requests; it tells nothing and moves nothing by itself. */
  async serve(at = port): Promise<ChildProcess> {
    const child = this.start('main.js', { PORT: String(at), WORKER: 'false', AUTOMATION: 'false' });
    this.serving = child;
    for (let tries = 0; tries < 600; tries++) {
      if (await fetch(`http://127.0.0.1:${at}/healthz`).then(Boolean, () => false)) return child;
      await sleep(50);
    }
    throw new Error('The service did not start.');
  }

  async stopServing(): Promise<void> {
    const child = this.serving!;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await new Promise(done => child.once('exit', done));
  }

  worker(more: Record<string, string> = {}, flags: string[] = []): ChildProcess {
    return this.start('worker.js', more, flags);
  }

  private start(program: string, more: Record<string, string>, flags: string[] = []): ChildProcess {
    const words = [
      ...flags,
      '--max-semi-space-size=16',
      '--min-semi-space-size=16',
      '--no-parallel-scavenge',
      `${root}${this.build}/${program}`,
    ];
    const child = spawn(process.execPath, words, {
      env: { ...this.environment, ...more },
      stdio: ['ignore', 'pipe', process.env.FAULTS_VERBOSE ? 'inherit' : 'ignore'],
      cwd: root,
    });
    this.processes.add(child);
    child.stdout!.resume();
    child.once('exit', () => this.processes.delete(child));
    return child;
  }

  async post(path: string, body: object, at = port): Promise<{ id: number | string }> {
    const answer = await fetch(`http://127.0.0.1:${at}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return ((await answer.json()) as { response: { id: number } }).response;
  }

  /** Asked again while the database is being restarted. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (let tries = 0; ; tries++) {
      try {
        return (await this.pool.query<Row>(text, values)).rows;
      } catch (error) {
        if (tries > 100) throw error;
        await sleep(100);
      }
    }
  }

  async page(subscribers: number, domain = 'example.com'): Promise<string> {
    const { id } = await this.post('/pages', { name: 'Meridian' });
    await this.query(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
       select $1, 'n' || n || '@' || $3, 'interface', at, at, at from generate_series(1, $2::integer) n, (select clock_timestamp() - interval '1 minute' as at) at`,
      [id, subscribers, domain],
    );
    return String(id);
  }

  async notice(page: string, body: object = {}, at = port): Promise<number> {
    return Number(
      (
        await this.post(
          `/pages/${page}/notices`,
          { subject: 'Payments fail', initial_comment: 'We look.', should_publish: true, ...body },
          at,
        )
      ).id,
    );
  }

  /** Those that are not over. */
  async open(): Promise<number> {
    const [row] = await this.query<{ n: number }>(
      `select (select count(*) from delivery where state in ('pending', 'sending', 'retrying')) + (select count(*) from publication where spread_at is null) as n`,
    );
    return Number(row!.n);
  }

  /** Until nothing is to be sent any more, for so long at most. False where something is. */
  async settle(seconds: number, meanwhile: () => Promise<void> = async () => {}): Promise<boolean> {
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      await meanwhile();
      if ((await this.open()) === 0) return true;
      await sleep(200);
    }
    return false;
  }

  /** What the retry rule makes wait for minutes and hours is made due: the time of the bench is short. */
  async hurry(): Promise<void> {
    await this.query(
      `update delivery set due_at = clock_timestamp() where state = 'retrying' and due_at > clock_timestamp()`,
    );
  }

  async close(): Promise<void> {
    for (const child of this.processes) child.kill('SIGKILL');
    this.receiver.close();
    await this.pool.end();
  }
}
