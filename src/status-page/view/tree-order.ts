import type { ComponentView } from './view.js';

/** Components as a reader meets them from top to bottom: each of these with all that is below it behind it. */
export function treeOrder(tops: readonly ComponentView[]): ComponentView[] {
  const ordered: ComponentView[] = [];
  const waiting = tops.toReversed();
  // A list instead of recursion: nesting has no limit, and the stack has one.
  for (let component = waiting.pop(); component; component = waiting.pop()) {
    ordered.push(component);
    waiting.push(...component.children.toReversed());
  }
  return ordered;
}
