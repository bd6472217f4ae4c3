import { findComponents } from '../components/find-components.js';
import { badRequest, countMismatch } from '../core/errors.js';
import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { weighRows } from '../db/weighted-batches.js';
import { Page } from '../pages/page.entity.js';
import type { Filter } from '../records/filter-sql.js';
import type { SelectedIds } from '../records/select-ids.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import type { UpdateSubscribersInput } from './bulk.inputs.js';
import { endSubscriptions } from './end-subscription.js';
import { split, writeBatches } from './write-batches.js';
import { isActiveSql } from './sign-up.service.js';

interface Bulk {
  filter: Filter;
  expectedCount: number;
  pageId: string;
  selection: SelectedIds;
}

interface BulkWrite {
  /** Refuses what is invalid; returns what the audit log says beside the filter. */
  check?: (unit: Unit) => Promise<Record<string, unknown>>;
  /** How many rows are written or deleted for a subscriber. Null: those of the subscriber and of their choice. */
  weight: number | null;
  /** Returns the ids of the subscribers that it has changed: others have unsubscribed since they were counted. */
  writeBatch: (em: EntityManager, pageId: string, ids: readonly number[]) => Promise<number[]>;
}

/** Components that are added to or removed from subscribers by one request: on the embedded database in two minutes. */
const maxChoices = 1_000_000;

export const unsubscribeAll = (write: Writer, bulk: Bulk): Promise<number[]> =>
  writeSelected(write, bulk, { weight: 1, writeBatch: endSubscriptions });

export const deleteAll = (write: Writer, bulk: Bulk): Promise<number[]> =>
  writeSelected(write, bulk, {
    weight: null,
    writeBatch: (em, pageId, ids) =>
      listIds(em, 'delete from subscriber where id = any($1::int[]) and page_id = $2 returning id', [ids, pageId]),
  });

/** Subscribers of everything stay so: there is nothing to add, and nothing that they chose to remove. */
export function updateAll(write: Writer, bulk: Bulk, input: UpdateSubscribersInput): Promise<number[]> {
  const { addComponentIds, removeComponentIds } = input;
  const added = addComponentIds ?? [];
  const removed = removeComponentIds ?? [];
  const choices = added.length + removed.length;
  if (bulk.expectedCount * choices > maxChoices)
    throw badRequest(
      `${bulk.expectedCount} subscribers times ${choices} components are more than ${maxChoices}. ` +
        'Send fewer components or subscribers at once.',
    );
  const check = async ({ em, validation }: Unit) => {
    const { problems: unknownAdded } = await findComponents(em, bulk.pageId, added);
    const { problems: unknownRemoved } = await findComponents(em, bulk.pageId, removed);
    validation.addErrors({ addComponentIds: unknownAdded, removeComponentIds: unknownRemoved });
    validation.throwIfInvalid();
    return { addedComponents: added, removedComponents: removed };
  };
  const writeBatch: BulkWrite['writeBatch'] = (em, pageId, ids) =>
    listIds(
      em,
      `with chosen as (
         select id from subscriber where id = any($1::int[]) and page_id = $2 and chose_components and ${isActiveSql}
       ), removed as (
         delete from subscriber_component c using chosen
         where c.subscriber_id = chosen.id and c.component_id = any($4::int[]) and c.component_id <> all($3::int[])
         returning c.subscriber_id
       ), added as (
         insert into subscriber_component (subscriber_id, component_id)
         select chosen.id, component.id from chosen cross join component
         where component.page_id = $2 and component.id = any($3::int[])
         on conflict do nothing returning subscriber_id
       )
       update subscriber set chosen_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
       where id in (select subscriber_id from added union select subscriber_id from removed)
       returning id`,
      [ids, pageId, added, removed],
    );
  return writeSelected(write, bulk, { check, weight: 1 + choices, writeBatch });
}

/**
 * Selects and counts in the first transaction, which refuses another count than the expected one, and adds the only
 * entry to the audit log; then writes in batches, so that other writes to the page need not wait for all of them.
 */
async function writeSelected(
  write: Writer,
  { pageId, expectedCount, filter, selection }: Bulk,
  { check, weight, writeBatch }: BulkWrite,
): Promise<number[]> {
  const ids = await write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    const changes = await check?.(unit);
    const rows = await query<{ id: number }>(unit.em, selection.sql, selection.values);
    if (rows.length !== expectedCount) throw countMismatch('subscribers', rows.length, expectedCount);
    const logged = { subscriberCount: rows.length, filter, ...changes };
    const fields = Object.entries(logged).map(([field, after]) => [field, { after }]);
    unit.describeChange('Page', pageId, Object.fromEntries(fields));
    return rows.map(({ id }) => id);
  });
  const changed: number[] = [];
  for (const part of split(ids)) {
    const weights = weight === null ? await write.readOnly(({ em }) => weighRows(em, 'subscriber', part)) : null;
    const weigh = (id: number) => weight ?? weights?.get(id) ?? 1;
    await writeBatches(part, weigh, async batch => {
      const written = await write.withoutLog().transaction(async unit => {
        await unit.find<Page>([[Page, pageId]]);
        return writeBatch(unit.em, pageId, batch);
      });
      changed.push(...written);
    });
  }
  return changed;
}

const listIds = async (em: EntityManager, sql: string, values: unknown[]): Promise<number[]> =>
  (await query<{ id: number }>(em, sql, values)).map(({ id }) => id);
