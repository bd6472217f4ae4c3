import { setMetadata } from '../pages/metadata.js';
import { applyFields, type FieldRule } from '../core/validation.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { Page } from '../pages/page.entity.js';
import { arrangeChildren } from './component-children.js';
import {
  checkComponentCount,
  countComponents,
  findComponent,
  findLastPosition,
  findParent,
  toIds,
} from './find-components.js';
import { Component } from './component.entity.js';
import type { CreateComponentInput, UpdateComponentInput } from './component.inputs.js';
import { recomputeComponentStates } from './component-states.service.js';

const rules: { [field in keyof Component]?: FieldRule } = {
  name: { required: true, maxLength: 255 },
  description: { maxLength: 65_535 },
};

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
    checkComponentCount((await countComponents(unit.em, page.id)) + 1);
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

const toRecordChange = (pageId: string, recordId: number, others: readonly number[]): RecordChange => ({
  pageId,
  recordId,
  componentIds: [...new Set([recordId, ...others])],
});
