import { problems } from '../../core/problems.js';
import type { Validation } from '../../core/validation.js';
import type { Notice } from '../notice.entity.js';
import { isOpen } from '../notice.states.js';

/** An update settles the deadline before it, and sets a new one unless `dueAt` is null. */
export interface DeadlineChange {
  dueAt: Date | null;
}

/** The change as an update: `requirement` says why it cannot set a deadline. */
interface NewUpdate {
  isUpdate: boolean;
  requirement: string;
}

/**
 * An update is a text or another state. Each settles the deadline that the one before it set, and may set one itself;
 * other changes of a notice leave the deadline as it is. Returns null where nothing changes.
 */
export function setNextUpdate(
  notice: Pick<Notice, 'type' | 'state' | 'nextUpdateBy'>,
  nextUpdateBy: Date | null | undefined,
  { isUpdate, requirement }: NewUpdate,
  now: Date,
  validation: Validation,
): DeadlineChange | null {
  if (nextUpdateBy && notice.type !== 'general') {
    if (!isOpen(notice.state))
      validation.addError('nextUpdateBy', problems.notApplicable('must be omitted once the notice is over'));
    else if (!isUpdate) validation.addError('nextUpdateBy', problems.notApplicable(requirement));
    else if (nextUpdateBy <= now) validation.addError('nextUpdateBy', problems.outOfRange('must be in the future'));
  }
  if (!isUpdate) return null;
  const isConcerned = notice.nextUpdateBy !== null || nextUpdateBy != null;
  notice.nextUpdateBy = nextUpdateBy ?? null;
  return isConcerned ? { dueAt: notice.nextUpdateBy } : null;
}
