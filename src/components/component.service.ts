import { applyFields, type FieldRule, isBlank } from '../core/validation.js';
import type { EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import { text } from '../core/errors.js';
import { presentSql } from '../notices/notice.states.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import type { CreateComponent, UpdateComponent } from './component.inputs.js';
import { type ComponentState, componentStates, isWithin, type TreeNode } from './component.states.js';

const rules: { [field in keyof Component]?: FieldRule } = {
  name: { required: true, longest: 255 },
  description: { longest: 65_535 },
};

/** What a write changed beside the record itself, for an answer in one round trip. */
export interface Change {
  pageId: string;
  /** Of the record that was written or deleted. */
  recordId: number;
  /** Those that the record is or names, or named before, and those whose state or parent moved. */
  componentIds: number[];
}

/** Every write to the tree locks its page first: positions and the ban on cycles need all of it to stand still. */
export function createComponent(write: Writer, pageId: string, input: CreateComponent): Promise<Change> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const parent = await parentOf(unit, page, null, input.parentId);
    const component = unit.create(Component, { page, name: '', position: 0, parent: parent ?? null });
    applyFields(component, input, rules, unit.checks, true);
    unit.checks.pass();
    component.position = input.position ?? (await lastPosition(unit.em, page.id, parent?.id)) + 1;
    await unit.save();
    return changeOf(page.id, component.id, await settleStates(unit.em, page.id));
  });
}

export function updateComponent(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: UpdateComponent,
): Promise<Change> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const component = await unit.find<Component>(
      [
        [Page, pageId],
        [Component, id],
      ],
      versions,
    );
    applyFields(component, input, rules, unit.checks, false);
    const parent = await parentOf(unit, page, component, input.parentId);
    unit.checks.pass();
    if (parent !== undefined) component.parent = parent;
    if (input.position === null)
      component.position = (await lastPosition(unit.em, page.id, component.parent?.id, component.id)) + 1;
    else if (input.position !== undefined) component.position = input.position;
    return changeOf(page.id, component.id, (await unit.save()) ? await settleStates(unit.em, page.id) : []);
  });
}

/** Its children move to its parent; its notices, subscribers and templates let go of it. */
export function deleteComponent(
  write: Writer,
  pageId: string,
  id: string,
  versions?: number[] | null,
): Promise<Change> {
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    const { id: own, parent } = await unit.find<Component>(
      [
        [Page, pageId],
        [Component, id],
      ],
      versions,
    );
    const written = `updated_at = $2, version = version + 1`;
    const raised = await query<{ id: number }>(
      unit.em,
      `update component set parent_id = $3, ${written} where parent_id = $1 returning id`,
      [own, unit.now, parent?.id ?? null],
    );
    await query(unit.em, `update notice_template set component_id = null, ${written} where component_id = $1`, [
      own,
      unit.now,
    ]);
    await query(unit.em, 'delete from component where id = $1', [own]);
    return changeOf(pageId, own, [...raised.map(({ id }) => id), ...(await settleStates(unit.em, pageId))]);
  });
}

const changeOf = (pageId: string, recordId: number, others: readonly number[]): Change => ({
  pageId,
  recordId,
  componentIds: [...new Set([recordId, ...others])],
});

/**
 * Writes the states that follow from the notices and the tree of a page; whoever writes either calls it before the commit, with the page locked.
 * A state is no write to the component itself: its version and updated_at stay. Returns the components whose state moved.
 */
export async function settleStates(em: EntityManager, pageId: string): Promise<number[]> {
  const tree = await query<TreeNode & { state: ComponentState }>(
    em,
    'select id, parent_id as "parentId", state from component where page_id = $1',
    [pageId],
  );
  if (!tree.length) return [];
  const named = await query<{ id: number }>(
    em,
    `select distinct c.component_id as id from notice n join notice_component c on c.notice_id = n.id where n.page_id = $1 and ${presentSql('n.state')}`,
    [pageId],
  );
  const states = componentStates(tree, new Set(named.map(({ id }) => id)));
  const moved = tree.filter(({ id, state }) => states.get(id) !== state).map(({ id }) => id);
  if (moved.length) {
    const text =
      'update component set state = moved.state from unnest($1::integer[], $2::text[]) as moved (id, state) where component.id = moved.id';
    await query(em, text, [moved, moved.map(id => states.get(id))]);
  }
  return moved;
}

/** The components of these ids, all of them of the page; null when one is not. */
export async function componentsOf(
  em: EntityManager,
  pageId: string,
  ids: readonly string[],
): Promise<Component[] | null> {
  const given = ids.filter(id => !isBlank(id));
  // Digits alone: Number would take `1e0` and `0x1` for ids too.
  if (given.some(id => !/^\d{1,10}$/.test(id) || Number(id) >= 2 ** 31)) return null;
  const wanted = [...new Set(given.map(Number))];
  const found = wanted.length
    ? await em.find(Component, { id: { $in: wanted }, page: pageId }, { orderBy: { id: 'asc' } })
    : [];
  return found.length === wanted.length ? found : null;
}

/** undefined keeps, null is the root. A parent of another page, the component itself or one of its parts is refused. */
async function parentOf(
  unit: Unit,
  page: Page,
  component: Component | null,
  given: string | null | undefined,
): Promise<Component | null | undefined> {
  if (given === undefined) return undefined;
  if (isBlank(given)) return null;
  const [parent] = (await componentsOf(unit.em, page.id, [given as string])) ?? [];
  if (!parent) {
    unit.checks.refuse('parentId', text.invalid);
    return undefined;
  }
  if (component) {
    const tree = await query<TreeNode>(
      unit.em,
      'select id, parent_id as "parentId" from component where page_id = $1',
      [page.id],
    );
    if (isWithin(tree, parent.id, component.id)) unit.checks.refuse('parentId', text.invalid);
  }
  return parent;
}

async function lastPosition(
  em: EntityManager,
  pageId: string,
  parentId: number | undefined,
  except = 0,
): Promise<number> {
  const text =
    'select coalesce(max(position), 0) as last from component where page_id = $1 and parent_id is not distinct from $2::integer and id <> $3';
  const [row] = await query<{ last: number }>(em, text, [pageId, parentId ?? null, except]);
  return Math.min(Math.max(row!.last, 0), 2 ** 31 - 2);
}
