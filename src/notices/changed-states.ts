import { type ComponentStateChange, findStateChanges } from '../components/component-states.service.js';
import { queryInTransaction } from '../db/prepared-statements.js';
import type { NoticeBefore } from '../notifications/messages/event.js';
import type { Unit } from '../records/unit.js';
import type { NamedComponent } from './impact.service.js';
import type { Notice } from './notice.entity.js';
import { isPresent } from './notice.states.js';

interface Change {
  notice: Notice;
  /** Null for a new notice. */
  previous: NoticeBefore | null;
  previousComponentIds: readonly number[];
  /** Null: those that it names before and after keep theirs. */
  impacts: ReadonlyMap<number, NamedComponent> | null;
}

/** The component states that a stored change of a notice changes. */
export function findChangedStates(unit: Unit, change: Change): Promise<ComponentStateChange[]> {
  return findStateChanges(queryInTransaction(unit.em), change.notice.page.id, listTouchedComponents(change));
}

/** The components that an ongoing notice newly names, or names no longer, and those that recover or fail again. */
function listTouchedComponents({ notice, previous, previousComponentIds, impacts }: Change): number[] {
  const before = isPresent(previous?.state) ? previousComponentIds : [];
  const named = isPresent(notice.state) ? notice.components.getIdentifiers<number>() : [];
  const recovering = [...(impacts ?? [])].flatMap(([id, { hasRecoveryChanged }]) => (hasRecoveryChanged ? [id] : []));
  return [...new Set([...listDifferent(before, named), ...recovering])];
}

/** The ids that only one of the lists has. */
const listDifferent = (one: readonly number[], other: readonly number[]): number[] => [
  ...one.filter(id => !other.includes(id)),
  ...other.filter(id => !one.includes(id)),
];
