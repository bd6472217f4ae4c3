import { problems } from '../../core/problems.js';
import type { Validation } from '../../core/validation.js';
import type { Notice } from '../notice.entity.js';
import { isOpen } from '../notice.states.js';

/** What an update does to promises: it settles the one before, and makes a new one unless `promisedFor` is null. */
export interface PromiseChange {
  promisedFor: Date | null;
}

/** The change as an update: `requirement` says why the next one cannot be promised with it, null if it can be. */
interface NewUpdate {
  isUpdate: boolean;
  requirement: string;
}

/**
 * An update is a text or another state. Each settles the promise that the one before it made, and may make one itself;
 * other changes of a notice leave the promise as it is. Returns null where no promise is concerned.
 */
export function setNextUpdate(
  notice: Pick<Notice, 'type' | 'state' | 'nextUpdateBy'>,
  given: Date | null | undefined,
  { isUpdate, requirement }: NewUpdate,
  now: Date,
  validation: Validation,
): PromiseChange | null {
  if (given && notice.type !== 'general') {
    if (!isOpen(notice.state))
      validation.addError('nextUpdateBy', problems.notApplicable('must be omitted once the notice is over'));
    else if (!isUpdate) validation.addError('nextUpdateBy', problems.notApplicable(requirement));
    else if (given <= now) validation.addError('nextUpdateBy', problems.outOfRange('must be in the future'));
  }
  if (!isUpdate) return null;
  const isConcerned = notice.nextUpdateBy !== null || given != null;
  notice.nextUpdateBy = given ?? null;
  return isConcerned ? { promisedFor: notice.nextUpdateBy } : null;
}
