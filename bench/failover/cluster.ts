import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A cluster of Debian's packages: etcd-server, patroni and postgresql, on loopback. */
const ports = { etcd: 25501, etcdPeer: 25502, postgres: [25511, 25512, 25513], patroni: [25521, 25522, 25523] };
const isRoot = process.getuid?.() === 0;
/** For which the senders of WAL are stopped before the primary is killed: what it commits then is on no standby. */
export const unsentMs = 300;
const healthySeconds = 120;

interface Member {
  name: string;
  port: number;
  data: string;
  patroni: ChildProcess;
}

const toUrl = (port: number) => `postgres://all_clear@127.0.0.1:${port}/postgres`;

interface NodeState {
  isPrimary: boolean;
  /** On the primary: the standbys that stream, and those of them that commits wait for. */
  streaming: number;
  synchronous: number;
}

export class Cluster {
  private readonly folder = mkdtempSync(join(tmpdir(), 'all-clear-failover-'));
  private readonly members: Member[] = [];
  private readonly isSynchronous: boolean;
  private etcd!: ChildProcess;

  private constructor(isSynchronous: boolean) {
    this.isSynchronous = isSynchronous;
  }

  /** `isSynchronous`: a commit is acknowledged once a standby has it. */
  static async start(isSynchronous: boolean): Promise<Cluster> {
    const cluster = new Cluster(isSynchronous);
    try {
      cluster.startEtcd();
      for (const index of ports.postgres.keys()) cluster.addMember(index);
      await cluster.waitUntilHealthy();
      await cluster.query('create table failover_probe (at timestamptz default clock_timestamp())');
      return cluster;
    } catch (error) {
      cluster.stop();
      throw error;
    }
  }

  get url(): string {
    return `postgres://all_clear@${ports.postgres.map(port => `127.0.0.1:${port}`).join(',')}/postgres`;
  }

  /** The URL of each server. */
  get urls(): string[] {
    return ports.postgres.map(toUrl);
  }

  async version(): Promise<string> {
    const patroni = execFileSync('patroni', ['--version'], { encoding: 'utf8' }).trim();
    const etcd = /\d\S+/.exec(execFileSync('etcd', ['--version'], { encoding: 'utf8' }))![0];
    const rows = await this.query('show server_version');
    return `PostgreSQL ${rows[0].server_version.split(' ')[0]}, ${patroni}, etcd ${etcd}`;
  }

  /** Kills the primary, whose Patroni goes on. Returns its restart: it is Patroni's own. */
  async killPrimary(): Promise<() => void> {
    const primary = await this.findPrimary();
    await killPostgres(primary);
    return () => {};
  }

  /** Kills the primary and its Patroni, as a machine that fails. Returns what starts Patroni, as systemd does. */
  async killMachine(): Promise<() => void> {
    const primary = await this.findPrimary();
    primary.patroni.kill('SIGKILL');
    await killPostgres(primary);
    return () => {
      primary.patroni = this.startPatroni(primary.name);
    };
  }

  /** Stops the processes of the primary and its Patroni. To others it is a cut network: connections that go silent. */
  async freezeMachine(): Promise<() => void> {
    const primary = await this.findPrimary();
    primary.patroni.kill('SIGSTOP');
    // First the process that starts others.
    send(listPostgres(primary)[0]!, 'SIGSTOP');
    const processes = listPostgres(primary);
    for (const pid of processes) send(pid, 'SIGSTOP');
    return () => {
      for (const pid of [...processes, primary.patroni.pid!]) send(pid, 'SIGCONT');
    };
  }

  /** Waits for one primary and two standbys that stream, one of which acknowledges commits. */
  async waitUntilHealthy(): Promise<void> {
    const until = performance.now() + healthySeconds * 1_000;
    while (performance.now() < until) {
      const primaries = (await this.readStates()).filter(state => state?.isPrimary);
      if (primaries.length === 1 && primaries[0]!.streaming === 2)
        if (!this.isSynchronous || primaries[0]!.synchronous === 1) return;
      await sleep(200);
    }
    throw new Error(`The cluster did not recover within ${healthySeconds} s: see ${this.folder}.`);
  }

  stop(): void {
    for (const member of this.members) {
      member.patroni.kill('SIGKILL');
      for (const pid of listPostgres(member)) send(pid, 'SIGKILL');
    }
    this.etcd.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a statement on the primary. */
  async query(text: string, values: unknown[] = []) {
    const { port } = await this.findPrimary();
    return query(toUrl(port), text, values);
  }

  private async findPrimary(): Promise<Member> {
    const states = await this.readStates();
    return this.members[states.findIndex(state => state?.isPrimary)]!;
  }

  private readStates(): Promise<(NodeState | undefined)[]> {
    const text = `select not pg_is_in_recovery() as "isPrimary",
      (select count(*) filter (where state = 'streaming')::int from pg_stat_replication) as streaming,
      (select count(*) filter (where sync_state = 'sync')::int from pg_stat_replication) as synchronous`;
    return Promise.all(
      this.urls.map(url =>
        query(url, text).then(
          ([row]) => row as NodeState,
          () => undefined,
        ),
      ),
    );
  }

  private startEtcd(): void {
    chmodSync(this.folder, 0o755);
    if (isRoot) execFileSync('chown', ['postgres', this.folder]);
    const [client, peer] = [ports.etcd, ports.etcdPeer].map(port => `http://127.0.0.1:${port}`);
    this.etcd = this.spawn('etcd', 'etcd', [
      '--enable-v2',
      '--data-dir',
      join(this.folder, 'etcd'),
      '--initial-cluster',
      `default=${peer}`,
      '--listen-client-urls',
      client!,
      '--advertise-client-urls',
      client!,
      '--listen-peer-urls',
      peer!,
      '--initial-advertise-peer-urls',
      peer!,
    ]);
  }

  private addMember(index: number): void {
    const name = `node${index + 1}`;
    const port = ports.postgres[index]!;
    const api = ports.patroni[index]!;
    const data = join(this.folder, name);
    const configuration = this.configure(name, data, `127.0.0.1:${port}`, `127.0.0.1:${api}`);
    writeFileSync(join(this.folder, `${name}.yml`), JSON.stringify(configuration));
    this.members.push({ name, port, data, patroni: this.startPatroni(name) });
  }

  private startPatroni(name: string): ChildProcess {
    return this.spawn(name, 'patroni', [join(this.folder, `${name}.yml`)]);
  }

  /** Patroni reads YAML, of which JSON is a part. */
  private configure(name: string, data: string, address: string, api: string): object {
    return {
      scope: 'failover',
      name,
      restapi: { listen: api, connect_address: api },
      // By API v2: over v3 this version of Patroni takes the lock of its successor when it goes on after a pause.
      etcd: { host: `127.0.0.1:${ports.etcd}` },
      bootstrap: {
        dcs: {
          // The shortest that Patroni accepts for a leader that does not answer; one whose primary died is replaced at once.
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 3,
          primary_start_timeout: 0,
          synchronous_mode: this.isSynchronous,
          postgresql: {
            use_pg_rewind: true,
            parameters: { max_connections: 100, shared_buffers: '128MB', jit: 'off' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: data,
        bin_dir: globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1),
        pgpass: join(this.folder, `${name}.pgpass`),
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        authentication: Object.fromEntries(
          ['superuser', 'replication', 'rewind'].map(use => [use, { username: 'all_clear', password: 'unused' }]),
        ),
        parameters: { unix_socket_directories: '' },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    };
  }

  private spawn(name: string, program: string, args: string[]): ChildProcess {
    const log = openSync(join(this.folder, `${name}.log`), 'a', 0o666);
    const command = [program, ...args];
    if (isRoot) command.unshift('setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--');
    return spawn(command[0]!, command.slice(1), { stdio: ['ignore', log, log], cwd: this.folder });
  }
}

export async function query(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text, values)).rows;
  } finally {
    client.end().catch(() => {});
  }
}

async function killPostgres(member: Member): Promise<void> {
  const senders = await query(toUrl(member.port), 'select pid from pg_stat_replication');
  for (const { pid } of senders) send(pid, 'SIGSTOP');
  await sleep(unsentMs);
  for (const pid of listPostgres(member)) send(pid, 'SIGKILL');
}

/** The process that starts the others, and these; none where it has ended. */
function listPostgres({ data }: Member): number[] {
  try {
    const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
  } catch {
    return [];
  }
}

/** A process may end by itself meanwhile. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
