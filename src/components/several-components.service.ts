import { Page } from '../pages/page.entity.js';
import type { Writer } from '../records/writer.js';
import {
  type ComponentsChange,
  findLastPosition,
  findParent,
  loadComponents,
  removeComponents,
  toIds,
} from './component.service.js';
import { recomputeComponentStates } from './component-states.service.js';

/** Moves components below a parent, or to the root, after those that are there: all of them or none. */
export function moveComponents(
  write: Writer,
  pageId: string,
  ids: readonly string[],
  parentId: string | null,
): Promise<ComponentsChange> {
  return write.lockingTransaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const components = await loadComponents(unit, page, ids);
    const parent = (await findParent(unit, page, components, parentId)) ?? null;
    unit.validation.throwIfInvalid();
    const moved = components.filter(component => component.parent?.id !== parent?.id);
    const touched = toIds(...moved, ...moved.map(component => component.parent));
    const last = await findLastPosition(unit.em, page.id, parent?.id);
    for (const [index, component] of moved.entries()) {
      component.parent = parent;
      component.position = Math.min(last + 1 + index, 2 ** 31 - 1);
    }
    await unit.save();
    const changed = await recomputeComponentStates(unit.em, page.id, touched);
    return { pageId, componentIds: [...new Set([...toIds(...components), ...changed])] };
  });
}

interface ComponentsDeletion extends ComponentsChange {
  deletedIds: number[];
}

/** Deletes components, as `deleteComponent` does: all of them or none. */
export function deleteComponents(write: Writer, pageId: string, ids: readonly string[]): Promise<ComponentsDeletion> {
  return write.lockingTransaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const components = await loadComponents(unit, page, ids);
    const componentIds = await removeComponents(unit, pageId, components);
    return { pageId, deletedIds: toIds(...components), componentIds: [...new Set(componentIds)] };
  });
}
