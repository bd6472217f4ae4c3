import { setTimeout as sleep } from 'node:timers/promises';
import { query } from './cluster.ts';
import { post } from './service.ts';

export interface Write {
  subject: string;
  service: string;
  status: number;
  startedAt: number;
  endedAt: number;
}

const commitSeconds = 120;
export const pauseMs = { write: 100, visit: 50, probe: 50 };

/** Writes, visits and watchers of every service, until it is stopped. */
export class Load {
  readonly writes: Write[] = [];
  /** The statuses of the responses to visits of the page: 0 where there was none. */
  readonly visits: number[] = [];
  /** When events arrived at each watcher, and how often a stream ended before it was stopped. */
  readonly events: number[][];
  endedStreams = 0;
  private readonly stopping = new AbortController();
  private readonly running: Promise<unknown>[];

  /** Notices are written to one page; another is visited and watched. */
  constructor(services: readonly string[], written: string, visited: string) {
    this.events = services.map(() => []);
    this.running = services.flatMap((service, index) => [
      this.write(service, written),
      this.visit(`${service}/status/${visited}/`),
      this.watch(`${service}/status/${visited}/events`, this.events[index]!),
    ]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async write(service: string, page: string): Promise<void> {
    for (let number = 0; !this.isStopped; number += 1) {
      const subject = `${new URL(service).port} ${number}`;
      const startedAt = performance.now();
      const { status } = await post(service, `/pages/${page}/notices`, { subject });
      this.writes.push({ subject, service, status, startedAt, endedAt: performance.now() });
      await sleep(pauseMs.write);
    }
  }

  private async visit(url: string): Promise<void> {
    while (!this.isStopped) {
      const visited = fetch(url, { signal: AbortSignal.timeout(5_000) }).then(async response => {
        await response.arrayBuffer();
        return response.status;
      });
      this.visits.push(await visited.catch(() => 0));
      await sleep(pauseMs.visit);
    }
  }

  private async watch(url: string, events: number[]): Promise<void> {
    while (!this.isStopped) {
      try {
        const { body } = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: this.stopping.signal });
        for await (const chunk of body!.pipeThrough(new TextDecoderStream()))
          if (/^data:/m.test(chunk)) events.push(performance.now());
      } catch {}
      if (!this.isStopped) this.endedStreams += 1;
    }
  }
}

/** Writes to each server of a cluster, until one has acknowledged a commit: when was that? */
export async function waitForCommit(urls: readonly string[]): Promise<number> {
  const until = performance.now() + commitSeconds * 1_000;
  let committedAt: number | undefined;
  const probe = async (url: string): Promise<void> => {
    while (!committedAt && performance.now() < until)
      try {
        await query(url, 'insert into failover_probe default values');
        committedAt ??= performance.now();
      } catch {
        await sleep(pauseMs.probe);
      }
  };
  await Promise.all(urls.map(probe));
  if (!committedAt) throw new Error(`The cluster accepts no commit within ${commitSeconds} s.`);
  return committedAt;
}
