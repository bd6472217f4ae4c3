import type { ComponentView } from './view.js';

/** Lists components depth-first: each one followed by all of its descendants. */
export function flattenTree(roots: readonly ComponentView[]): ComponentView[] {
  const ordered: ComponentView[] = [];
  const stack = roots.toReversed();
  // Iterative, since the depth of nesting is unlimited and the call stack is not.
  for (let component = stack.pop(); component; component = stack.pop()) {
    ordered.push(component);
    stack.push(...component.children.toReversed());
  }
  return ordered;
}
