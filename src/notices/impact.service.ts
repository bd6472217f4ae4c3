import { query } from '../db/prepared-statements.js';
import { problems } from '../core/problems.js';
import type { Validation } from '../core/validation.js';
import type { Unit } from '../records/unit.js';
import { defaultImpact, type Impact } from './impact.rules.js';
import type { Notice } from './notice.entity.js';

/** A component of an input with the impact on it. */
export interface AffectedComponent {
  componentId: string;
  impact: string;
}

interface ComponentsInput {
  componentIds?: string[] | null;
  affectedComponents?: AffectedComponent[] | null;
}

/** The field of an input that names components, and their ids. Undefined: it leaves them as they are. */
export const listComponentIds = ({
  componentIds,
  affectedComponents,
}: ComponentsInput): [field: string, ids: string[] | null | undefined] =>
  affectedComponents === undefined
    ? ['componentIds', componentIds]
    : ['affectedComponents', affectedComponents?.map(({ componentId }) => componentId) ?? null];

export function refuseTwoLists({ componentIds, affectedComponents }: ComponentsInput, validation: Validation): void {
  if (affectedComponents !== undefined && componentIds !== undefined)
    validation.addError('affectedComponents', problems.notApplicable('cannot be given with `componentIds`'));
}

/**
 * Returns the impact on each component that the notice names; null if the input has none, so that each keeps its own.
 * The notice counts as changed if one is another.
 */
export async function setImpacts(
  unit: Unit,
  notice: Notice,
  given: AffectedComponent[] | null | undefined,
  validation: Validation,
): Promise<Map<number, Impact> | null> {
  if (!given?.length) return null;
  if (notice.type !== 'unplanned')
    validation.addError('affectedComponents', problems.notApplicable('is for incidents only: use `componentIds`'));
  const before = notice.id ? await loadImpacts(unit, notice.id) : new Map<number, Impact>();
  const impacts = new Map(given.map(({ componentId, impact }) => [Number(componentId), impact as Impact]));
  if ([...impacts].some(([id, impact]) => impact !== (before.get(id) ?? defaultImpact))) unit.touch(notice);
  return impacts;
}

async function loadImpacts({ em }: Unit, noticeId: number): Promise<Map<number, Impact>> {
  const rows = await query<{ component: number; impact: Impact }>(
    em,
    'select component_id as component, impact from notice_component where notice_id = $1',
    [noticeId],
  );
  return new Map(rows.map(({ component, impact }) => [component, impact]));
}

/** Writes the impacts, after the components of the notice. */
export async function storeImpacts(
  { em }: Unit,
  { notice, impacts }: { notice: Notice; impacts: ReadonlyMap<number, Impact> | null },
): Promise<void> {
  if (!impacts) return;
  await query(
    em,
    `update notice_component named set impact = given.impact
    from unnest($2::integer[], $3::text[]) given (component_id, impact)
    where named.notice_id = $1 and named.component_id = given.component_id and named.impact <> given.impact`,
    [notice.id, [...impacts.keys()], [...impacts.values()]],
  );
}
