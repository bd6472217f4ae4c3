import type { EntityManager } from '../db/database.js';
import { query, queryInTransaction, type RunQuery } from '../db/prepared-statements.js';
import { isCurrentSql, type ManualComponentStatus } from './manual-status.rules.js';
import { presentSql } from '../notices/notice.states.js';
import type { TreeNode } from './component-tree.js';
import { type ComponentState, computeComponentStates } from './component.states.js';

/**
 * As subselects: the planner then assumes as many ids for any values, and keeps one plan. It would plan for the number
 * of ids each time, since so few cost less than its assumption, and that takes ten times as long as running the
 * statement.
 */
const touchedSql = 'array(select unnest($2::integer[]))';
const namedSql = 'array(select unnest($3::integer[]))';

/**
 * The trees that the touched components ($2) are part of. The stored state of every other component tells whether it
 * is degraded by itself, so notices are looked up for touched ones only, except those that are known to be named ($3).
 * A manual status counts in place of notices. What an upstream says counts, too, unless a person says operational.
 * Both walks use `union`, which ends on a cycle in stored data.
 */
const touchedTreesSql = `
  with recursive above as (
    select id, parent_id from component where page_id = $1 and id = any(${touchedSql})
    union
    select c.id, c.parent_id from above join component c on c.id = above.parent_id
  ), tree as (
    select id from above where parent_id is null or id = any(${touchedSql})
    union
    select c.id from tree join component c on c.parent_id = tree.id
  )
  select c.id, c.parent_id as "parentId", c.state, m.state as "manualStatus",
    case
      when m.state is not null then m.state <> 'operational'
      when exists (select 1 from upstream u where u.component_id = c.id and u.state <> 'operational') then true
      when c.id = any(${namedSql}) then true
      when c.id = any(${touchedSql}) then exists (
        select 1 from notice n where n.page_id = $1 and ${presentSql('n.state')} and exists (
          select 1 from notice_component nc
          where nc.notice_id = n.id and nc.component_id = c.id and nc.recovered_at is null))
      else c.state = 'degraded'
    end as "isDegraded"
  from tree join component c on c.id = tree.id
    left join manual_status m on m.component_id = c.id and ${isCurrentSql('m')}`;

/** A component of a tree, and whether it is degraded by itself: by its manual status, its upstream, or a notice. */
interface StoredComponent extends TreeNode {
  state: ComponentState;
  manualStatus: ManualComponentStatus | null;
  isDegraded: boolean;
}

/** Reads the trees that the touched components are part of. */
export const loadTrees = async (
  run: RunQuery,
  pageId: string,
  touched: readonly number[],
  named: readonly number[],
): Promise<StoredComponent[]> => (touched.length ? run(touchedTreesSql, [pageId, touched, named]) : []);

export interface ComponentStateChange {
  id: number;
  before: ComponentState;
  after: ComponentState;
}

/**
 * Finds the components that a change gives a new state. `touched` are the components that were created or moved, that
 * an ongoing notice newly names or names no longer, or whose manual status or upstream changed; `named` are those of
 * them that one is known to name. It reads the trees of the touched components only: pages have many, and most writes
 * touch none.
 */
export async function findStateChanges(
  run: RunQuery,
  pageId: string,
  touched: readonly number[],
): Promise<ComponentStateChange[]> {
  return compareStates(await loadTrees(run, pageId, touched, []));
}

/** The components of trees that have another state than the stored one. */
export function compareStates(tree: readonly StoredComponent[]): ComponentStateChange[] {
  const listIds = (matches: (component: StoredComponent) => boolean) =>
    new Set(tree.filter(matches).map(({ id }) => id));
  const states = computeComponentStates(
    tree,
    listIds(({ isDegraded }) => isDegraded),
    listIds(({ manualStatus }) => manualStatus === 'operational'),
  );
  return tree
    .map(({ id, state }) => ({ id, before: state, after: states.get(id)! }))
    .filter(({ before, after }) => before !== after);
}

/**
 * Recomputes component states after a write, before its commit and with the page locked.
 * A new state does not count as a write to the component: its version and updated_at stay.
 * Returns the ids of the components whose state changed.
 */
export async function recomputeComponentStates(
  em: EntityManager,
  pageId: string,
  touched: readonly number[],
): Promise<number[]> {
  return storeStates(em, await findStateChanges(queryInTransaction(em), pageId, touched));
}

/** Stores new states, and returns the ids of their components. */
export async function storeStates(em: EntityManager, changes: readonly ComponentStateChange[]): Promise<number[]> {
  const ids = changes.map(({ id }) => id);
  if (changes.length) {
    await query(
      em,
      `update component set state = changed.state
       from unnest($1::integer[], $2::text[]) as changed (id, state) where component.id = changed.id`,
      [ids, changes.map(({ after }) => after)],
    );
  }
  return ids;
}
