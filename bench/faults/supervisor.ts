import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs processes and replaces each that exits, as a process supervisor does. */
export class Supervisor {
  kills = 0;
  private readonly running: ChildProcess[] = [];
  private isStopped = false;

  constructor(starts: readonly (() => ChildProcess)[]) {
    for (const start of starts) this.supervise(start);
  }

  private supervise(start: () => ChildProcess): void {
    if (this.isStopped) return;
    const child = start();
    // The first line of a process comes before it has loaded anything; this one, when it is ready.
    child.stdout!.on('data', data => {
      if (/is running|listens on/.test(String(data))) this.running.push(child);
    });
    child.once('exit', () => {
      const position = this.running.indexOf(child);
      if (position >= 0) this.running.splice(position, 1);
      // A process that could not start, because the database is down, is restarted with a delay.
      setTimeout(() => this.supervise(start), position >= 0 ? 0 : 200);
    });
  }

  /**
   * Kills one at intervals, the one that runs longest unless `choose` returns the index of another. Never the only one:
   * the bench would only measure starts.
   */
  async killEvery(
    intervalMs: number,
    isOver: () => boolean,
    choose: (count: number) => number = () => 0,
  ): Promise<void> {
    while (!isOver()) {
      await sleep(intervalMs);
      if (this.running.length < 2) continue;
      const [child] = this.running.splice(choose(this.running.length), 1);
      child!.kill('SIGKILL');
      this.kills += 1;
    }
  }

  /** Waits until `count` run. */
  async ready(count = 1): Promise<void> {
    while (this.running.length < count) await sleep(20);
  }

  stop(): void {
    this.isStopped = true;
  }
}

/** The same start a number of times. */
export const times = (count: number, start: (index: number) => ChildProcess): (() => ChildProcess)[] =>
  Array.from({ length: count }, (_, index) => () => start(index));
