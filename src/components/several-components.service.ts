import { problems } from '../core/problems.js';
import { Page } from '../pages/page.entity.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { Component } from './component.entity.js';
import { type ComponentsChange, removeComponents } from './component.service.js';
import { findLastPosition, findParent, loadComponents, toIds } from './find-components.js';
import { recomputeComponentStates } from './component-states.service.js';

/** Where components are moved: below a parent, or to the root; before a component there, or after the last one. */
interface ComponentsPlace {
  parentId?: string | null;
  beforeId?: string | null;
}

/** Moves components to a place, in the order that they have: all of them or none. */
export function moveComponents(
  write: Writer,
  pageId: string,
  ids: readonly string[],
  { parentId, beforeId }: ComponentsPlace,
): Promise<ComponentsChange> {
  return write.lockingTransaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const components = await loadComponents(unit, page, ids);
    const parent = (await findParent(unit, page, components, parentId ?? null)) ?? null;
    const siblings = await findSiblings(unit, page, components, { parent, beforeId });
    unit.validation.throwIfInvalid();
    const moved = components.filter(component => component.parent?.id !== parent?.id);
    const touched = toIds(...moved, ...moved.map(component => component.parent));
    const index = siblings.findIndex(({ id }) => String(id) === beforeId);
    const order = index === -1 ? components : siblings.toSpliced(index, 0, ...components);
    const last = index === -1 ? await findLastPosition(unit.em, page.id, parent?.id, toIds(...components)) : 0;
    const isInPlace = moved.length === 0 && isInOrder(order, last);
    for (const component of components) component.parent = parent;
    const placed = isInPlace ? [] : placeInOrder(order, last, new Set(components));
    await unit.save();
    const changed = await recomputeComponentStates(unit.em, page.id, touched);
    return { pageId, componentIds: [...new Set([...toIds(...components, ...placed), ...changed])] };
  });
}

/** Without its texts, which are some hundred MB of thousands. */
type PlacedComponent = Pick<Component, 'id' | 'position'>;

const isInOrder = (order: readonly PlacedComponent[], last: number): boolean =>
  order.every(({ position }, index) => position > (order[index - 1]?.position ?? last));

const maxPosition = 2 ** 31 - 1;

/** Counts the positions on from `last`. Others than those that move keep theirs where it is late enough. */
function placeInOrder(
  order: readonly PlacedComponent[],
  last: number,
  moving: ReadonlySet<PlacedComponent>,
): PlacedComponent[] {
  let previous = last;
  return order.filter(component => {
    const { position } = component;
    if (moving.has(component) || position <= previous) component.position = Math.min(previous + 1, maxPosition);
    previous = component.position;
    return component.position !== position;
  });
}

/** The other components below the parent, in their order, where one of them says what comes after those that move. */
async function findSiblings(
  unit: Unit,
  page: Page,
  components: readonly Component[],
  { parent, beforeId }: { parent: Component | null; beforeId: string | null | undefined },
): Promise<PlacedComponent[]> {
  if (beforeId == null) return [];
  const where = { page: page.id, parent: parent?.id ?? null, id: { $nin: toIds(...components) } };
  const siblings = await unit.em.find(Component, where, {
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
    exclude: ['description', 'metadata'],
  });
  if (!siblings.some(({ id }) => String(id) === beforeId))
    unit.validation.addError('beforeId', problems.invalid('must be another component below the same parent'));
  return siblings;
}

interface ComponentsDeletion extends ComponentsChange {
  deletedIds: number[];
}

/** Of what names components and is deleted with them, in one statement: others wait for it on the embedded database. */
const maxNaming = 30_000;

const countNamingSql = `
  select count(*)::integer as count from (${[
    'subscriber_component',
    'webhook_component',
    'notice_component',
    'notice_template_component',
  ]
    .map(table => `select from ${table} where component_id = any($1)`)
    .join(' union all ')} limit ${maxNaming + 1}) naming`;

/** Refuses to delete components that subscribers and notices name too often. One can be deleted in any case. */
async function refuseManyNaming({ em, validation }: Unit, components: readonly Component[]): Promise<void> {
  if (components.length < 2) return;
  const [row] = await query<{ count: number }>(em, countNamingSql, [toIds(...components)]);
  if (row!.count > maxNaming)
    validation.addError(
      'ids',
      problems.invalid(
        `must be components that subscribers, webhooks, notices and templates name ${maxNaming.toLocaleString('en')} ` +
          'times at most: delete fewer at once',
      ),
    );
  validation.throwIfInvalid();
}

/** Deletes components, as `deleteComponent` does: all of them or none. */
export function deleteComponents(write: Writer, pageId: string, ids: readonly string[]): Promise<ComponentsDeletion> {
  return write.lockingTransaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const components = await loadComponents(unit, page, ids);
    await refuseManyNaming(unit, components);
    const componentIds = await removeComponents(unit, pageId, components);
    return { pageId, deletedIds: toIds(...components), componentIds: [...new Set(componentIds)] };
  });
}
