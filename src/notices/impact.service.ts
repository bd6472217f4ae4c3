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
  /** Whether it is operational again. Null or absent: as it was. */
  hasRecovered?: boolean | null;
}

/** What is stored of a component that a notice names. */
export interface NamedComponent {
  impact: Impact;
  hasRecovered: boolean;
  /** Whether `hasRecovered` differs from what is stored. */
  hasRecoveryChanged?: boolean;
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
): Promise<Map<number, NamedComponent> | null> {
  if (!given?.length) return null;
  if (notice.type !== 'unplanned')
    validation.addError('affectedComponents', problems.notApplicable('is for incidents only: use `componentIds`'));
  const before = notice.id ? await loadNamed(unit, notice.id) : new Map<number, NamedComponent>();
  const named = new Map(
    given.map(({ componentId, impact, hasRecovered }) => {
      const id = Number(componentId);
      const stored = before.get(id)?.hasRecovered ?? false;
      const next = hasRecovered ?? stored;
      return [id, { impact: impact as Impact, hasRecovered: next, hasRecoveryChanged: next !== stored }];
    }),
  );
  const isChanged = ([id, { impact, hasRecoveryChanged }]: [number, NamedComponent]) =>
    hasRecoveryChanged || impact !== (before.get(id)?.impact ?? defaultImpact);
  if ([...named].some(isChanged)) unit.touch(notice);
  return named;
}

async function loadNamed({ em }: Unit, noticeId: number): Promise<Map<number, NamedComponent>> {
  const rows = await query<NamedComponent & { component: number }>(
    em,
    `select component_id as component, impact, recovered_at is not null as "hasRecovered"
    from notice_component where notice_id = $1`,
    [noticeId],
  );
  return new Map(rows.map(({ component, ...named }) => [component, named]));
}

/** Writes the impacts, after the components of the notice. What is operational in a new incident was never affected. */
export async function storeImpacts(
  { em, now }: Unit,
  { notice, impacts, isNew }: { notice: Notice; impacts: ReadonlyMap<number, NamedComponent> | null; isNew: boolean },
): Promise<void> {
  if (!impacts) return;
  const list = [...impacts.values()];
  await query(
    em,
    `update notice_component named set impact = given.impact,
      recovered_at = case when given.recovered then coalesce(named.recovered_at, $5::timestamptz) end
    from unnest($2::integer[], $3::text[], $4::boolean[]) given (component_id, impact, recovered)
    where named.notice_id = $1 and named.component_id = given.component_id
      and (named.impact <> given.impact or (named.recovered_at is not null) <> given.recovered)`,
    [
      notice.id,
      [...impacts.keys()],
      list.map(({ impact }) => impact),
      list.map(({ hasRecovered }) => hasRecovered),
      isNew ? (notice.beganAt ?? now) : now,
    ],
  );
}
