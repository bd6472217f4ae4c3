import { Refusal } from '../core/errors.js';
import { isPossibleKey } from '../core/ids.js';
import { type Problem, problems } from '../core/problems.js';
import { isBlank } from '../core/validation.js';
import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import type { Page } from '../pages/page.entity.js';
import type { Unit } from '../records/unit.js';
import { ComponentTree, type TreeNode } from './component-tree.js';
import { Component } from './component.entity.js';

export const findComponent = (unit: Unit, pageId: string, id: string, versions?: readonly number[] | null) =>
  unit.find<Component>(pageRecordPath(pageId, Component, id), versions);

export const toIds = (...components: ({ id: number } | null)[]): number[] =>
  components.flatMap(component => component?.id ?? []);

const maxComponents = 500;

/** Loads the components of a list of ids, to write to them. Refuses the list if one of them is not on the page. */
export async function loadComponents(
  unit: Unit,
  page: Page,
  ids: readonly string[],
  field = 'ids',
): Promise<Component[]> {
  if (!ids.length) unit.validation.addError(field, problems.blank);
  if (ids.length > maxComponents) unit.validation.addError(field, problems.tooMany(maxComponents));
  unit.validation.throwIfInvalid();
  const numbers = parseComponentIds(ids);
  const where = { page: page.id, id: { $in: numbers } };
  const components = await unit.em.find(Component, where, { orderBy: [{ position: 'asc' }, { id: 'asc' }] });
  unit.validation.addErrors({ [field]: selectComponents(unit.em, ids, components).problems });
  unit.validation.throwIfInvalid();
  return components;
}

/** A page draws all of its components: so many take a fifth of a second, in which nobody else is answered. */
const maxComponentsOfPage = 5_000;

/** Refuses a page with so many components. */
export function checkComponentCount(count: number): void {
  if (count > maxComponentsOfPage)
    throw new Refusal('CONFLICT', `A page has at most ${maxComponentsOfPage.toLocaleString('en')} components.`);
}

export async function countComponents(em: EntityManager, pageId: string): Promise<number> {
  const text = 'select count(*)::integer as count from component where page_id = $1';
  const [row] = await query<{ count: number }>(em, text, [pageId]);
  return row!.count;
}

/** A problem names each id that is not on the page. */
const maxNamedComponents = 2_000;

/** Finds the components with these ids, and the problems of those that are not on the page, by their index. */
export async function findComponents(
  em: EntityManager,
  pageId: string,
  ids: readonly string[],
): Promise<{ components: Component[]; problems: Problem[] }> {
  const numbers = ids.length > maxNamedComponents ? [] : parseComponentIds(ids);
  const text = 'select id from component where page_id = $1 and id = any($2::integer[])';
  const rows = numbers.length ? await query<{ id: number }>(em, text, [pageId, numbers]) : [];
  return selectComponents(em, ids, rows);
}

/** The same among those of the page that were read already. */
export function selectComponents(
  em: EntityManager,
  ids: readonly string[],
  stored: readonly { id: number }[],
): { components: Component[]; problems: Problem[] } {
  if (ids.length > maxNamedComponents) return { components: [], problems: [problems.tooMany(maxNamedComponents)] };
  const numbers = new Set(parseComponentIds(ids));
  const existing = new Set(stored.map(({ id }) => id).filter(id => numbers.has(id)));
  const isMissing = (id: string) => !isBlank(id) && !(isPossibleKey(id) && existing.has(Number(id)));
  const missing = ids.flatMap((id, index) => (isMissing(id) ? [problems.componentNotFound(index)] : []));
  // As references: a caller that names components needs no more than their ids.
  const components = [...existing].toSorted((one, other) => one - other).map(id => em.getReference(Component, id));
  return { components, problems: missing };
}

export const parseComponentIds = (ids: readonly string[]): number[] => [
  ...new Set(ids.filter(isPossibleKey).map(Number)),
];

/** Undefined keeps the parent, null is the root. Refuses another page's, the components and their descendants. */
export async function findParent(
  unit: Unit,
  page: Page,
  components: readonly Component[],
  given: string | null | undefined,
): Promise<Component | null | undefined> {
  if (given === undefined) return undefined;
  if (isBlank(given)) return null;
  const found = await findComponents(unit.em, page.id, [given as string]);
  const [parent] = found.components;
  if (!parent) {
    unit.validation.addError('parentId', problems.componentNotFound());
    return undefined;
  }
  if (components.length) {
    const nodes = await query<TreeNode>(
      unit.em,
      'select id, parent_id as "parentId" from component where page_id = $1',
      [page.id],
    );
    const tree = new ComponentTree(nodes);
    if (components.some(({ id }) => tree.isSelfOrDescendant(parent.id, id)))
      unit.validation.addError('parentId', problems.invalid('must be neither the component nor one below it'));
  }
  return parent;
}

export async function findLastPosition(
  em: EntityManager,
  pageId: string,
  parentId: number | undefined,
  except: readonly number[] = [],
): Promise<number> {
  const [row] = await query<{ last: number }>(
    em,
    `select coalesce(max(position), 0) as last from component
     where page_id = $1 and parent_id is not distinct from $2::integer and id <> all($3::integer[])`,
    [pageId, parentId ?? null, except],
  );
  return Math.min(Math.max(row!.last, 0), 2 ** 31 - 2);
}
