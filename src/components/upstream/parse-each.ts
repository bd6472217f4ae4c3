import type { z } from 'zod';
import { EventLoopTurns } from '../../core/queues/event-loop-turns.js';

/** Of all responses together: the pages of others are served between two. */
const turns = new EventLoopTurns();
/** How long items are parsed in a turn. */
const turnMs = 5;

/** Waits until a response may be parsed, which takes some milliseconds. */
export const takeParsingTurn = (): Promise<void> => turns.take();

type ParseEach = <Shape extends z.ZodType>(shape: Shape, items: readonly unknown[]) => Promise<z.infer<Shape>[]>;

/**
 * Returns a function that parses the items of lists of one response in turns of the event loop. It fails at the first
 * one of another shape: the schema of a whole list collects the problems of all of its items, which takes a second for
 * a response of some hundred kilobytes.
 */
export function createItemParser(): ParseEach {
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
