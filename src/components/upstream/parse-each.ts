import type { z } from 'zod';
import type { EventLoopTurns } from '../../core/queues/event-loop-turns.js';

/** How long items are parsed in a turn. */
const turnMs = 5;

export type ParseEach = <Shape extends z.ZodType>(shape: Shape, items: readonly unknown[]) => Promise<z.infer<Shape>[]>;

/**
 * Returns a function that parses the items of lists of one response in turns of the event loop. It fails at the first
 * one of another shape: the schema of a whole list collects the problems of all of its items, which takes a second for
 * a response of some hundred kilobytes.
 */
export function createItemParser(turns: Pick<EventLoopTurns, 'take'>): ParseEach {
  let endsAt = performance.now() + turnMs;
  return async (shape, items) => {
    const parsed = [];
    for (const item of items) {
      if (performance.now() >= endsAt) {
        await turns.take();
        endsAt = performance.now() + turnMs;
      }
      parsed.push(shape.parse(item));
    }
    return parsed;
  };
}
