import type { Validation } from '../core/validation.js';
import { problems } from '../core/problems.js';
import { query } from '../db/prepared-statements.js';
import type { Page } from '../pages/page.entity.js';
import type { Unit } from '../records/unit.js';
import { ComponentTree, type TreeNode } from './component-tree.js';
import type { Component } from './component.entity.js';
import { findLastPosition, loadComponents, toIds } from './find-components.js';

const refuseAncestors = (validation: Validation, nodes: readonly TreeNode[], parentId: number, ids: number[]): void => {
  const tree = new ComponentTree(nodes);
  if (ids.some(id => tree.isSelfOrDescendant(parentId, id)))
    validation.addError('childIds', problems.invalid('must not contain the component itself or an ancestor'));
};

/**
 * Makes these components the children of another one, in this order, and moves its other children to the root. Returns
 * the ids of those whose states, or whose former parents' states, may change.
 */
export async function arrangeChildren(
  unit: Unit,
  page: Page,
  parent: Component,
  given: readonly string[],
): Promise<number[]> {
  const components = given.length ? await loadComponents(unit, page, given, 'childIds') : [];
  const nodes = await query<TreeNode>(unit.em, 'select id, parent_id as "parentId" from component where page_id = $1', [
    page.id,
  ]);
  refuseAncestors(unit.validation, nodes, parent.id, toIds(...components));
  unit.validation.throwIfInvalid();
  const order = [...new Set(given.map(Number))];
  const left = nodes.filter(({ id, parentId }) => parentId === parent.id && !order.includes(id));
  const removed = left.length
    ? await loadComponents(
        unit,
        page,
        left.map(({ id }) => String(id)),
        'childIds',
      )
    : [];
  const moved = [...removed, ...components.filter(component => component.parent?.id !== parent.id)];
  const touched = toIds(...moved, ...moved.map(component => component.parent), parent);
  const last = removed.length ? await findLastPosition(unit.em, page.id, undefined) : 0;
  for (const [index, component] of removed.entries()) {
    component.parent = null;
    component.position = Math.min(last + 1 + index, 2 ** 31 - 1);
  }
  for (const component of components) {
    component.parent = parent;
    component.position = order.indexOf(component.id) + 1;
  }
  return [...new Set(touched)];
}
