import { isPossibleKey } from '../core/ids.js';
import { setMetadata } from '../pages/metadata.js';
import { applyFields, type FieldRule, isBlank } from '../core/validation.js';
import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { type Problem, problems } from '../core/problems.js';
import { Page } from '../pages/page.entity.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { arrangeChildren } from './component-children.js';
import { Component } from './component.entity.js';
import type { CreateComponentInput, UpdateComponentInput } from './component.inputs.js';
import { ComponentTree, type TreeNode } from './component-tree.js';
import { recomputeComponentStates } from './component-states.service.js';

const rules: { [field in keyof Component]?: FieldRule } = {
  name: { required: true, maxLength: 255 },
  description: { maxLength: 65_535 },
};

const { componentNotFound } = problems;

/** What a write changed, so that the payload can return all of it in the same response. */
export interface ComponentsChange {
  pageId: string;
  /** The record itself, the components that it names or named before, and those with a new state or parent. */
  componentIds: number[];
}

export interface RecordChange extends ComponentsChange {
  /** The id of the record that was written or deleted. */
  recordId: number;
}

export function createComponent(write: Writer, pageId: string, input: CreateComponentInput): Promise<RecordChange> {
  return write.lockingTransaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const parent = await findParent(unit, page, [], input.parentId);
    const component = unit.create(Component, { page, name: '', position: 0, parent: parent ?? null });
    applyFields(component, input, rules, unit.validation, true);
    setMetadata(component, input.metadata, unit.validation);
    unit.validation.throwIfInvalid();
    component.position = input.position ?? (await findLastPosition(unit.em, page.id, parent?.id)) + 1;
    await unit.save();
    const touched = input.childIds?.length ? await arrangeChildren(unit, page, component, input.childIds) : [];
    await unit.save();
    const changed = await recomputeComponentStates(unit.em, page.id, [component.id, ...touched]);
    return toRecordChange(page.id, component.id, changed);
  });
}

export function updateComponent(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: UpdateComponentInput,
): Promise<RecordChange> {
  return write.lockingTransaction(async unit => {
    const component = await findComponent(unit, pageId, id, versions);
    const { page } = component;
    applyFields(component, input, rules, unit.validation, false);
    setMetadata(component, input.metadata, unit.validation);
    const parent = await findParent(unit, page, [component], input.parentId);
    unit.validation.throwIfInvalid();
    const previousParent = component.parent;
    if (parent !== undefined) component.parent = parent;
    const touched = component.parent === previousParent ? [] : toIds(component, previousParent);
    if (input.position === null)
      component.position = (await findLastPosition(unit.em, page.id, component.parent?.id, [component.id])) + 1;
    else if (input.position !== undefined) component.position = input.position;
    const isChanged = await unit.save();
    // After the new parent is stored, which can be none of the children.
    if (input.childIds) touched.push(...(await arrangeChildren(unit, page, component, input.childIds)));
    const isArranged = await unit.save();
    const changed = isChanged || isArranged ? await recomputeComponentStates(unit.em, page.id, touched) : [];
    return toRecordChange(page.id, component.id, changed);
  });
}

/** Moves the children to the parent, and removes the component from notices, subscribers and templates. */
export function deleteComponent(
  write: Writer,
  pageId: string,
  id: string,
  versions?: number[] | null,
): Promise<RecordChange> {
  return write.lockingTransaction(async unit => {
    const component = await findComponent(unit, pageId, id, versions);
    return toRecordChange(pageId, component.id, await removeComponents(unit, pageId, [component]));
  });
}

/** Deletes components, and returns the ids of those with another parent or state. */
export async function removeComponents(
  unit: Unit,
  pageId: string,
  components: readonly Component[],
): Promise<number[]> {
  const ids = toIds(...components);
  for (const component of components) unit.describeDeletion(component);
  const stamp = `updated_at = $2, version = version + 1`;
  // Below the nearest ancestor that stays: after its other children, if one of them has the position of one that moves.
  // The walk uses `union`, which ends on a cycle in stored data.
  const movedChildren = await query<{ id: number }>(
    unit.em,
    `with recursive above as (
      select id, parent_id from component where parent_id = any($1::integer[]) and id <> all($1::integer[])
      union
      select above.id, c.parent_id from above join component c on c.id = above.parent_id
      where above.parent_id = any($1::integer[])
    ), moved as (
      select c.id, above.parent_id, c.page_id, c.position,
        row_number() over (partition by above.parent_id order by c.position, c.id) as place,
        count(*) over (partition by above.parent_id, c.position) > 1 or exists (
          select 1 from component s where s.page_id = c.page_id and s.position = c.position
            and s.parent_id is not distinct from above.parent_id and s.id <> all($1::integer[])) as is_taken
      from above join component c on c.id = above.id where (above.parent_id = any($1::integer[])) is not true
    ), placed as (
      select m.id, m.parent_id, case when bool_or(m.is_taken) over (partition by m.parent_id) then m.place + (
        select coalesce(max(s.position), 0) from component s where s.page_id = m.page_id
          and s.parent_id is not distinct from m.parent_id and s.id <> all($1::integer[]))
        else m.position end as position
      from moved m
    )
    update component set parent_id = placed.parent_id, position = least(placed.position, 2147483647), ${stamp}
    from placed where component.id = placed.id returning component.id`,
    [ids, unit.now],
  );
  await query(
    unit.em,
    `update notice_template set component_id = null, ${stamp} where component_id = any($1::integer[])`,
    [ids, unit.now],
  );
  await query(unit.em, 'delete from component where id = any($1::integer[])', [ids]);
  const moved = toIds(...movedChildren);
  const touched = [...moved, ...toIds(...components.map(({ parent }) => parent))];
  return [...moved, ...(await recomputeComponentStates(unit.em, pageId, touched))];
}

export const findComponent = (unit: Unit, pageId: string, id: string, versions?: readonly number[] | null) =>
  unit.find<Component>(pageRecordPath(pageId, Component, id), versions);

export const toIds = (...components: ({ id: number } | null)[]): number[] =>
  components.flatMap(component => component?.id ?? []);

const toRecordChange = (pageId: string, recordId: number, others: readonly number[]): RecordChange => ({
  pageId,
  recordId,
  componentIds: [...new Set([recordId, ...others])],
});

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
  const missing = ids.flatMap((id, index) => (isMissing(id) ? [componentNotFound(index)] : []));
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
    unit.validation.addError('parentId', componentNotFound());
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
