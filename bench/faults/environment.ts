import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SmtpReceiver } from './smtp-receiver.ts';

const root = new URL('../..', import.meta.url).pathname;
const token = 'a-token-for-the-faults-of-the-bench-0001';
export const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
const port = 3990;

/** A separate PostgreSQL that can be killed. It has fsync on, as in production. */
export const postgres = {
  environment: {
    ...process.env,
    POSTGRES_PORT: '25449',
    POSTGRES_FOLDER: '/tmp/all-clear-faults-pg',
    POSTGRES_FSYNC: 'on',
  },
  script: (command: string) =>
    execFileSync(`${root}scripts/postgres.sh`, [command], { env: postgres.environment, encoding: 'utf8' }).trim(),
  /** Restarts without a clean shutdown, as after a power failure. */
  restart() {
    const bin =
      process.env.PGBIN ??
      execFileSync('bash', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1'], {
        encoding: 'utf8',
      }).trim();
    const folder = postgres.environment.POSTGRES_FOLDER;
    const command = [
      `${bin}/pg_ctl`,
      '-D',
      `${folder}/data`,
      '-l',
      `${folder}/log`,
      '-m',
      'immediate',
      '-w',
      'restart',
    ];
    const [program, ...rest] =
      process.getuid?.() === 0
        ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--', ...command]
        : command;
    execFileSync(program!, rest, { cwd: '/', stdio: 'ignore' });
  },
};

/** A database, an SMTP server and the service. Workers are started and killed by each scenario. */
export class FaultEnvironment {
  readonly receiver = new SmtpReceiver();
  private readonly processes = new Set<ChildProcess>();
  private pool!: pg.Pool;
  private variables!: Record<string, string>;
  private service: ChildProcess | undefined;

  /** The folder of the compiled code: `dist`, or a broken variant. */
  private readonly build: string;

  constructor(build = 'dist') {
    this.build = build;
  }

  static async open(build?: string, variables: Record<string, string> = {}): Promise<FaultEnvironment> {
    const environment = new FaultEnvironment(build);
    const url = postgres.script('start');
    const client = new pg.Client(url);
    await client.connect();
    await client.query('drop database if exists faults with (force)');
    await client.query('create database faults');
    await client.end();
    const databaseUrl = url.replace(/postgres$/, 'faults');
    environment.pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    environment.pool.on('error', () => {});
    environment.variables = {
      PATH: process.env.PATH!,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      DATA_DIR: mkdtempSync(join(tmpdir(), 'faults-')),
      SMTP_URL: await environment.receiver.listen(),
      MAIL_FROM: 'status@example.com',
      BOOTSTRAP_TOKEN: token,
      METRICS: 'false',
      DATABASE_CONNECTIONS: '6',
      ...variables,
    };
    await environment.startService();
    return environment;
  }

  /** Starts the service without worker and automation. */
  async startService(at = port): Promise<ChildProcess> {
    const child = this.start('start', { PORT: String(at), WORKER: 'false', AUTOMATION: 'false' });
    this.service = child;
    let answer = '';
    for (const until = performance.now() + 120_000; performance.now() < until; ) {
      const isReady = await fetch(`http://127.0.0.1:${at}/readyz`).then(
        async response => {
          answer = await response.text();
          return response.ok;
        },
        error => {
          answer = String(error.cause ?? error);
          return false;
        },
      );
      if (isReady) return child;
      await sleep(50);
    }
    throw new Error(`The service did not start within 120 s: ${answer}`);
  }

  async stopService(): Promise<void> {
    const child = this.service!;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await new Promise(done => child.once('exit', done));
  }

  startWorker(variables: Record<string, string> = {}, flags: string[] = []): ChildProcess {
    return this.start('worker', variables, flags);
  }

  start(command: 'start' | 'worker', variables: Record<string, string>, flags: string[] = []): ChildProcess {
    const args = [...flags, `${root}${this.build}/cli.js`, command];
    const child = spawn(process.execPath, args, {
      env: { ...this.variables, ...variables },
      stdio: ['ignore', 'pipe', process.env.FAULTS_VERBOSE ? 'inherit' : 'ignore'],
      cwd: root,
    });
    this.processes.add(child);
    child.stdout!.resume();
    child.once('exit', () => this.processes.delete(child));
    return child;
  }

  async graphql<Data>(query: string, variables: object): Promise<Data> {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors).slice(0, 1_000));
    return data;
  }

  async post(path: string, body: object, at = port): Promise<{ id: number | string }> {
    const response = await fetch(`http://127.0.0.1:${at}/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { response: { id: number } }).response;
  }

  /** Repeated while the database restarts. */
  query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> => {
    for (let tries = 0; ; tries++) {
      try {
        return (await this.pool.query<Row>(text, values)).rows;
      } catch (error) {
        if (tries > 100) throw error;
        await sleep(100);
      }
    }
  };

  async createPage(subscribers: number, domain = 'example.com'): Promise<string> {
    const { id } = await this.post('/pages', { name: 'Meridian' });
    await this.query(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
       select $1, 'n' || n || '@' || $3, 'interface', at, at, at
       from generate_series(1, $2::integer) n, (select clock_timestamp() - interval '1 minute' as at) at`,
      [id, subscribers, domain],
    );
    return String(id);
  }

  async createNotice(page: string, body: object = {}, at = port): Promise<number> {
    return Number(
      (
        await this.post(
          `/pages/${page}/notices`,
          { subject: 'Payments fail', initial_comment: 'We are investigating.', should_publish: true, ...body },
          at,
        )
      ).id,
    );
  }

  /** Deliveries and publications that are not finished. */
  async countUnfinished(): Promise<number> {
    const [row] = await this.query<{ n: number }>(
      `select (select count(*) from delivery where state in ('pending', 'sending', 'retrying'))
         + (select count(*) from publication where fanned_out_at is null) as n`,
    );
    return Number(row!.n);
  }

  /** Waits until nothing is left to send. Returns false when something is left after the time. */
  async waitUntilDelivered(seconds: number, onPoll: () => Promise<void> = async () => {}): Promise<boolean> {
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      await onPoll();
      if ((await this.countUnfinished()) === 0) return true;
      await sleep(200);
    }
    return false;
  }

  /** Makes retries due at once, which the service delays by minutes and hours. */
  async makeRetriesDue(): Promise<void> {
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
