import { listAncestors } from '../../components/component-tree.js';
import type { ComponentView, PageView } from './view.js';

/** A path with more would be too long to read. */
const maxNames = 5;
/** Of so many with the same name, it is not worth the time to find a path that none of the others has. */
const maxAlike = 500;

/**
 * The names that tell a component from all others, those of its ancestors first: as few as possible, and `minimum` at
 * least where it has so many.
 */
export function findUniquePath({ componentsByName }: PageView, component: ComponentView, minimum = 1): string[] {
  const path = [component.name];
  const alike = componentsByName.get(component.name)!.slice(0, maxAlike);
  /** Above those that have the same names so far. */
  let others = alike.filter(other => other !== component).map(({ parent }) => parent);
  for (const { name } of listAncestors(component, maxNames - 1)) {
    if (path.length >= minimum && !others.length) break;
    path.unshift(name);
    others = others.flatMap(other => (other?.name === name ? [other.parent] : []));
  }
  return path;
}
