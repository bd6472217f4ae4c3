import { Refusal } from '../../core/errors.js';

/** Renders at the same time, of all pages. More would only wait for the one rendering thread. */
const concurrency = 2;
/** Renders of a page that wait, at most: as many as are done in about a second. */
const maxWaiting = 50;

/**
 * Common: one of the few responses that most visitors of a page want. Variant: one of many, such as those of a month or
 * of a component, of which anyone can request thousands.
 */
export type RenderClass = 'common' | 'variant';

interface Turn {
  common: (() => void)[];
  variant: (() => void)[];
}

/**
 * Runs the renders that visitors wait for: pages take turns, and the common responses of a page go before its variants.
 * After a variant it pauses for as long as that took while others wait, so that a flood of variants takes at most half
 * of the rendering thread.
 */
export class RenderQueue {
  /** By page id, the page whose turn is next first. */
  private readonly turns = new Map<string, Turn>();
  private freeSlots = concurrency;

  /** `readClock` returns milliseconds. */
  constructor(private readonly readClock = () => performance.now()) {}

  get waiting(): number {
    let count = 0;
    for (const { common, variant } of this.turns.values()) count += common.length + variant.length;
    return count;
  }

  /** Throws a Refusal while too many renders of the page wait. */
  async run<Result>(pageId: string, renderClass: RenderClass, render: () => Promise<Result>): Promise<Result> {
    if (this.freeSlots > 0) this.freeSlots -= 1;
    else await this.waitForTurn(pageId, renderClass);
    const startedAt = this.readClock();
    try {
      return await render();
    } finally {
      const pauseMs = renderClass === 'variant' && this.turns.size ? this.readClock() - startedAt : 0;
      if (pauseMs >= 1) setTimeout(() => this.startNext(), pauseMs);
      else this.startNext();
    }
  }

  private waitForTurn(pageId: string, renderClass: RenderClass): Promise<void> {
    const turn = this.turns.get(pageId) ?? { common: [], variant: [] };
    if (turn[renderClass].length >= maxWaiting)
      throw new Refusal('UNAVAILABLE', 'Too many responses of this page are requested at once.', { retryAfter: 1 });
    this.turns.set(pageId, turn);
    return new Promise(start => turn[renderClass].push(start));
  }

  /** Gives the slot of a finished render to the page whose turn it is. */
  private startNext(): void {
    const [next] = this.turns;
    if (!next) {
      this.freeSlots += 1;
      return;
    }
    const [pageId, turn] = next;
    const start = (turn.common.shift() ?? turn.variant.shift())!;
    this.turns.delete(pageId);
    if (turn.common.length || turn.variant.length) this.turns.set(pageId, turn);
    start();
  }
}
