import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultEnvironment } from './environment.ts';

/** Runs a number of workers and replaces each that exits, as a process supervisor does. */
export class WorkerSupervisor {
  kills = 0;
  private readonly running: ChildProcess[] = [];
  private isStopped = false;
  private readonly startWorker: (index: number) => ChildProcess;

  constructor(
    environment: FaultEnvironment,
    size: number,
    variables: (index: number) => Record<string, string> = () => ({}),
    flags: string[] = [],
  ) {
    this.startWorker = index => environment.startWorker(variables(index), flags);
    for (let index = 0; index < size; index++) this.supervise(index);
  }

  private supervise(index: number): void {
    if (this.isStopped) return;
    const child = this.startWorker(index);
    // Its first line comes before it has loaded anything.
    child.stdout!.on('data', data => {
      if (/is running/.test(String(data))) this.running.push(child);
    });
    child.once('exit', () => {
      const position = this.running.indexOf(child);
      if (position >= 0) this.running.splice(position, 1);
      // A worker that could not start, because the database is down, is restarted with a delay.
      setTimeout(() => this.supervise(index), position >= 0 ? 0 : 200);
    });
  }

  /** Kills the longest running worker at intervals, but never the only one: the bench would only measure starts. */
  async killEvery(intervalMs: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(intervalMs);
      if (this.running.length < 2) continue;
      this.running.shift()!.kill('SIGKILL');
      this.kills += 1;
    }
  }

  async ready(): Promise<void> {
    while (!this.running.length) await sleep(20);
  }

  stop(): void {
    this.isStopped = true;
  }
}
