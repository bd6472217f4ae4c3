import { parseComponentIds } from '../components/find-components.js';
import { compareStates, type ComponentStateChange, loadTrees } from '../components/component-states.service.js';
import { isBlank } from '../core/validation.js';
import { queryInTransaction } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import { listComponentIds } from './impact.service.js';
import { Notice } from './notice.entity.js';
import type { NewNoticeValues } from './notice-values.js';
import { NoticeUpdate } from './updates/update.entity.js';

/** What a new notice reads, none of which depends on the rows that it writes. */
export interface Prefetched {
  /** The components that it names, and the trees that they are part of. */
  tree: Awaited<ReturnType<typeof loadTrees>>;
  /** The changes of component states if it is an ongoing one. */
  stateChanges: ComponentStateChange[];
  noticeId: number;
  updateId: number | undefined;
}

/** Reads it, and reserves the ids: together with the lock of the page, if it is called in the same turn. */
export async function prefetch(unit: Unit, pageId: string, input: NewNoticeValues): Promise<Prefetched> {
  const [, given] = listComponentIds(input);
  const named = parseComponentIds(given ?? []);
  const recovered = parseComponentIds(
    (input.affectedComponents ?? []).flatMap(({ componentId, hasRecovered }) => (hasRecovered ? [componentId] : [])),
  );
  const affected = named.filter(id => !recovered.includes(id));
  const [tree, [noticeId, updateId]] = await Promise.all([
    loadTrees(queryInTransaction(unit.em), pageId, named, affected),
    unit.reserveIds(isBlank(input.content) ? [Notice] : [Notice, NoticeUpdate]),
  ]);
  return { tree, stateChanges: compareStates(tree), noticeId: noticeId!, updateId };
}
