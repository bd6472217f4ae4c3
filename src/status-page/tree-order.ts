import type { ComponentView, PageView } from './view.js';

/** Every component as a reader meets them from top to bottom: each with those below it behind it. */
export function treeOrder({ components }: PageView): ComponentView[] {
  const ordered: ComponentView[] = [];
  const waiting = components.toReversed();
  // A list instead of recursion: nesting has no limit, and the stack has one.
  for (let component = waiting.pop(); component; component = waiting.pop()) {
    ordered.push(component);
    waiting.push(...component.children.toReversed());
  }
  return ordered;
}
