import { type Caller, findTurn } from '../../auth/access.js';
import { FairQueue } from '../../core/queues/fair-queue.js';

interface Topic {
  caller: Caller;
  /** When it was last read. Null: never. */
  readAt: number | null;
}

/**
 * The topics of a record in turns of the pages and the callers that follow it. Those that were read longest ago begin,
 * so that it goes on where it was left; of a caller they come in the order of the map.
 */
export function* takeTurns<Followed extends Topic>(topics: ReadonlyMap<string, Followed>) {
  const waiting = [...topics].map(entry => ({ entry, turnOf: findTurn(entry[1].caller) }));
  const lastReads = new Map<string, number>();
  for (const { entry, turnOf } of waiting)
    for (const name of turnOf) lastReads.set(name, Math.max(lastReads.get(name) ?? 0, entry[1].readAt ?? 0));
  const lastRead = (name: string) => lastReads.get(name)!;
  waiting.sort(
    ({ turnOf: [page, caller] }, { turnOf: [otherPage, otherCaller] }) =>
      lastRead(page) - lastRead(otherPage) || lastRead(caller) - lastRead(otherCaller),
  );
  const turns = new FairQueue<(typeof waiting)[number]['entry']>();
  for (const { entry, turnOf } of waiting) turns.enqueue(entry, { turnOf });
  while (turns.size) yield turns.dequeue()!;
}
