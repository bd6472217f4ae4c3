import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** Workers that somebody looks after: one that ends is followed by another, as a supervisor would have it. */
export class Crew {
  kills = 0;
  private readonly atWork: ChildProcess[] = [];
  private isOver = false;
  private readonly begin: (place: number) => ChildProcess;

  constructor(
    world: World,
    size: number,
    more: (place: number) => Record<string, string> = () => ({}),
    flags: string[] = [],
  ) {
    this.begin = place => world.worker(more(place), flags);
    for (let place = 0; place < size; place++) this.employ(place);
  }

  private employ(place: number): void {
    if (this.isOver) return;
    const child = this.begin(place);
    child.stdout!.once('data', () => this.atWork.push(child));
    child.once('exit', () => {
      const index = this.atWork.indexOf(child);
      if (index >= 0) this.atWork.splice(index, 1);
      // One that could not begin, since the database is away, would only hurry.
      setTimeout(() => this.employ(place), index >= 0 ? 0 : 200);
    });
  }

  /** Kills the one that is at work for the longest, every so often; never the last, since a machine that only starts workers would tell nobody anything. */
  async killEvery(milliseconds: number, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(milliseconds);
      if (this.atWork.length < 2) continue;
      this.atWork.shift()!.kill('SIGKILL');
      this.kills += 1;
    }
  }

  async ready(): Promise<void> {
    while (!this.atWork.length) await sleep(20);
  }

  dismiss(): void {
    this.isOver = true;
  }
}
