import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { Refusal } from '../../core/errors.js';
import { FairTurns } from '../../core/queues/fair-turns.js';

/** Renders at the same time, of all pages. More would only wait for the one rendering thread. */
const concurrency = 2;
/** Renders of a page and class that wait, at most: as many as are done in about a second. */
const maxWaiting = 50;

/**
 * Common: one of the few responses that most visitors of a page want. Variant: one of many, such as those of a month or
 * of a component, of which anyone can request thousands.
 */
export type RenderClass = 'common' | 'variant';

/** Lower than that of any common response, whatever its turn. */
const variantPriority = -(2 ** 40);

/**
 * Runs the renders that visitors wait for: common responses before variants, and in turns of the pages. After a variant
 * it pauses for as long as that took while others wait, so that a flood of variants takes at most half of the thread.
 */
export class RenderQueue {
  private readonly queue = new PQueue({ concurrency });
  private readonly turns: Record<RenderClass, FairTurns> = { common: new FairTurns(), variant: new FairTurns() };

  get waiting(): number {
    return this.queue.size;
  }

  /** Throws a Refusal while too many renders of the page wait. */
  async run<Result>(pageId: string, renderClass: RenderClass, render: () => Promise<Result>): Promise<Result> {
    const turns = this.turns[renderClass];
    const turn = turns.take(pageId, maxWaiting);
    if (turn === null)
      throw new Refusal('UNAVAILABLE', 'Too many responses of this page are requested at once.', { retryAfter: 1 });
    return new Promise((resolve, reject) => {
      const job = async () => {
        turns.begin(pageId, turn);
        const startedAt = performance.now();
        await render().then(resolve, reject);
        const durationMs = performance.now() - startedAt;
        if (renderClass === 'variant' && this.queue.size && durationMs >= 1) await sleep(durationMs);
      };
      void this.queue.add(job, { priority: (renderClass === 'variant' ? variantPriority : 0) - turn });
    });
  }
}
