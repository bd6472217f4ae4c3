import { choosePositions } from './component-positions.js';
import { listPlaces, matchComponents } from './match-components.js';
import { type FileComponent, refuseUnknown, type StoredComponent } from './page-file.js';
import { type Change, compareValues, createDeletion, type Step, toInput } from './step.js';

/** A component as it is after the steps. */
interface PlannedComponent {
  id: string;
  name: string;
  parentId: string | null;
}

export interface ComponentPlan {
  steps: Step[];
  /** Those that the file does not list, children before their parents. */
  unlisted: Step[];
  /** By id. Without `unlisted`, if these are deleted. */
  components: ReadonlyMap<string, PlannedComponent>;
}

export function planComponents(
  stored: readonly StoredComponent[],
  desired: readonly FileComponent[] | null,
  prune: boolean,
): ComponentPlan {
  const places = listPlaces(desired ?? []);
  const matches = matchComponents(stored, places);
  const unknown = places.map(({ component }) => component).filter(one => one.id !== null && !matches.has(one));
  refuseUnknown('component', unknown);
  const ids = new Map(places.map(({ component }, index) => [component, matches.get(component)?.id ?? `new:${index}`]));
  const idOf = (component: FileComponent | null) => component && ids.get(component)!;
  const listed = new Set(ids.values());
  const others = stored.filter(({ id }) => !listed.has(id));
  const remaining = prune && desired ? [] : others;
  const components = new Map<string, PlannedComponent>([
    ...places.map(({ component, parent }): [string, PlannedComponent] => {
      const id = ids.get(component)!;
      return [id, { id, name: String(component.values.name), parentId: idOf(parent) }];
    }),
    ...remaining.map(toPlanned),
  ]);
  const before = new Map(stored.map(toPlanned));
  const positions = planPositions(desired ?? [], null, matches);
  const steps = places.flatMap(({ component, parent }): Step[] => {
    const match = matches.get(component);
    const id = ids.get(component)!;
    const parentId = idOf(parent);
    const position = positions.get(component)!;
    const name = describePath(components, id);
    const changes = compareValues(match?.values, component);
    if (!match) {
      const input = { ...toInput(changes), parentId, position };
      return [{ action: 'create', kind: 'component', id, name, changes, input, source: component }];
    }
    const isMoved = match.parentId !== parentId;
    const isReordered = match.position !== position;
    const moves: Change[] = [
      ...(isMoved ? [describeMove(before, components, match.parentId, parentId)] : []),
      ...(isReordered ? [{ field: 'position', before: match.position, after: position }] : []),
    ];
    if (!changes.length && !moves.length) return [];
    const input = { ...toInput(changes), ...(isMoved && { parentId, position }), ...(isReordered && { position }) };
    const { version } = match;
    const all = [...changes, ...moves];
    return [{ action: 'change', kind: 'component', id, name, changes: all, input, version, source: component }];
  });
  return { steps, unlisted: desired ? planDeletions(before, others) : [], components };
}

const toPlanned = ({ id, values, parentId }: StoredComponent): [string, PlannedComponent] => [
  id,
  { id, name: String(values.name), parentId },
];

/** The positions of all components of the file: among their siblings, and so on for their children. */
function planPositions(
  siblings: readonly FileComponent[],
  parent: FileComponent | null,
  matches: ReadonlyMap<FileComponent, StoredComponent>,
): Map<FileComponent, number> {
  const parentId = parent ? matches.get(parent)?.id : null;
  const current = siblings.map(component => {
    const match = matches.get(component);
    return match && match.parentId === parentId ? match : null;
  });
  const positions = choosePositions(current);
  return new Map([
    ...siblings.map((component, index): [FileComponent, number] => [component, positions[index]!]),
    ...siblings.flatMap(component => [...planPositions(component.components, component, matches)]),
  ]);
}

const describeMove = (
  before: ReadonlyMap<string, PlannedComponent>,
  after: ReadonlyMap<string, PlannedComponent>,
  from: string | null,
  to: string | null,
): Change => ({
  field: 'parent',
  before: from && describePath(before, from),
  after: to && describePath(after, to),
});

function planDeletions(before: ReadonlyMap<string, PlannedComponent>, components: readonly StoredComponent[]): Step[] {
  const depthOf = ({ id }: StoredComponent) => listPath(before, id).length;
  return components
    .toSorted((one, other) => depthOf(other) - depthOf(one))
    .map(({ id, version }) => createDeletion('component', id, describePath(before, id), version));
}

function listPath(components: ReadonlyMap<string, PlannedComponent>, id: string): string[] {
  const component = components.get(id);
  if (!component) return [];
  return [...(component.parentId === null ? [] : listPath(components, component.parentId)), component.name];
}

/** The names from the root on: `Europe / Website`. */
export const describePath = (components: ReadonlyMap<string, PlannedComponent>, id: string): string =>
  listPath(components, id).join(' / ');
