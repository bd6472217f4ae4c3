import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const root = new URL('../..', import.meta.url).pathname;
const token = 'a-token-for-the-failover-of-the-bench-01';
const servicePorts = [25531, 25532];
const startSeconds = 60;

/** Two services and a worker on a database, none of which is ever restarted. */
export class Processes {
  readonly services = servicePorts.map(port => `http://localhost:${port}`);
  /** Lines of their logs that report a defect. */
  readonly defects: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'all-clear-failover-services-'));
  private readonly children: ChildProcess[] = [];
  private readonly variables: Record<string, string>;

  constructor(databaseUrl: string, smtpUrl: string) {
    this.variables = {
      PATH: process.env.PATH!,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      RATE_LIMIT: '0',
      METRICS: 'false',
      BOOTSTRAP_TOKEN: token,
      DATABASE_URL: databaseUrl,
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'status@example.com',
    };
  }

  async start(): Promise<void> {
    for (const [index, port] of servicePorts.entries()) {
      this.spawn('start', { PORT: String(port), DATA_DIR: join(this.folder, String(index)) });
      await this.waitUntilReady(this.services[index]!);
    }
    this.spawn('worker', {});
  }

  /** How many have ended. */
  get ended(): number {
    return this.children.filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null).length;
  }

  stop(): void {
    for (const child of this.children) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private spawn(command: string, variables: Record<string, string>): void {
    const child = spawn(process.execPath, [`${root}dist/cli.js`, command], {
      env: { ...this.variables, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: root,
    });
    this.children.push(child);
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', line => {
        if (/"level":"?(50|60|error|fatal)/.test(line)) this.defects.push(line);
      });
  }

  private async waitUntilReady(url: string): Promise<void> {
    const until = performance.now() + startSeconds * 1_000;
    while (performance.now() < until) {
      const isReady = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await sleep(100);
    }
    throw new Error(`${url} is not ready after ${startSeconds} s.`);
  }
}

/** The status of the response: 0 where there is none. */
export async function post(service: string, path: string, body: object): Promise<{ status: number; id?: unknown }> {
  try {
    const response = await fetch(`${service}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const { response: record } = (await response.json()) as { response?: { id: unknown } };
    return { status: response.status, id: record?.id };
  } catch {
    return { status: 0 };
  }
}

/** Creates a record before a fault. */
export async function create(service: string, path: string, body: object): Promise<string> {
  const { status, id } = await post(service, path, body);
  if (status !== 201) throw new Error(`POST ${path} was answered with ${status}.`);
  return String(id);
}
