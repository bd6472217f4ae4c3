import { listAncestors } from '../../components/component-tree.js';
import type { ComponentView, PageView } from './view.js';

/**
 * The names that tell a component from all others, those of its ancestors first: as few as possible, and `minimum` at
 * least where it has so many.
 */
export function findUniquePath({ componentsById }: PageView, component: ComponentView, minimum = 1): string[] {
  const names = listNames(component);
  const others = [...componentsById.values()]
    .filter(other => other !== component && other.name === component.name)
    .map(listNames);
  let length = Math.min(minimum, names.length);
  const isShared = (other: string[]) => names.slice(0, length).every((name, index) => other[index] === name);
  while (length < names.length && others.some(isShared)) length++;
  return names.slice(0, length).toReversed();
}

/** Its own name, then those above it. */
const listNames = (component: ComponentView): string[] =>
  [component, ...listAncestors(component)].map(({ name }) => name);
