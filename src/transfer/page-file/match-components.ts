import type { FileComponent, StoredComponent } from './page-file.js';

/** A component of the file with its place in the tree, parents before their children. */
interface PlacedComponent {
  component: FileComponent;
  parent: FileComponent | null;
}

/** Level by level. */
export function listPlaces(components: readonly FileComponent[]): PlacedComponent[] {
  const places: PlacedComponent[] = components.map(component => ({ component, parent: null }));
  // The loop also visits what it appends.
  for (const { component: parent } of places)
    for (const component of parent.components) places.push({ component, parent });
  return places;
}

/**
 * Finds the stored component of each component of the file: by its id, or else by its name below the same parent, or
 * else by its name where the page and the file have it once, so that a component that moves is not created anew.
 */
export function matchComponents(
  stored: readonly StoredComponent[],
  places: readonly PlacedComponent[],
): Map<FileComponent, StoredComponent> {
  const byId = new Map(stored.map(component => [component.id, component]));
  const claimed = new Set(places.map(({ component }) => component.id));
  // The oldest of several with one name, which stays the same when their order changes.
  const free = new Set(
    stored.filter(({ id }) => !claimed.has(id)).toSorted((one, other) => Number(one.id) - Number(other.id)),
  );
  const unnamed = places.filter(({ component }) => component.id === null);
  const inFile = countNames(unnamed.map(({ component }) => component));
  const onPage = countNames([...free]);
  const matches = new Map<FileComponent, StoredComponent>();
  for (const { component, parent } of places) {
    const { name } = component.values;
    const parentId = parent ? matches.get(parent)?.id : null;
    const candidates = [...free].filter(one => one.values.name === name);
    const isUnique = inFile.get(name) === 1 && onPage.get(name) === 1;
    const match =
      component.id === null
        ? (candidates.find(one => one.parentId === parentId) ?? (isUnique ? candidates[0] : undefined))
        : byId.get(component.id);
    if (!match) continue;
    matches.set(component, match);
    free.delete(match);
  }
  return matches;
}

function countNames(records: readonly { values: FileComponent['values'] }[]) {
  const counts = new Map<FileComponent['values'][string] | undefined, number>();
  for (const { values } of records) counts.set(values.name, (counts.get(values.name) ?? 0) + 1);
  return counts;
}
