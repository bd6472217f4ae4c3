import { problems } from '../../core/problems.js';
import type { Validation } from '../../core/validation.js';
import type { Notice } from '../notice.entity.js';
import { initialStates, isOpen, type NoticeState, statesByType } from '../notice.states.js';
import type { NoticeUpdate } from './update.entity.js';

/** When and with which state an update was posted, if not now. */
export interface BackDating {
  postedAt?: Date | null;
  state?: string | null;
}

type PostedUpdate = Pick<NoticeUpdate, 'postedAt' | 'state' | 'kind'>;

/**
 * The time and the state of a back-dated update; undefined for one that is posted now. It never notifies: who moves
 * history in must say so. `updates` are those that the notice has, in their order.
 */
export function resolveBackDating(
  { type, beganAt, createdAt }: Pick<Notice, 'type' | 'beganAt' | 'createdAt'>,
  updates: readonly PostedUpdate[],
  { postedAt, state, shouldPublish }: BackDating & { shouldPublish: boolean },
  now: Date,
  validation: Validation,
): { postedAt: Date; state: NoticeState | null } | undefined {
  if (!postedAt) {
    if (state != null) validation.addError('state', problems.notApplicable('must be omitted without `postedAt`'));
    return undefined;
  }
  const begin = beganAt && beganAt < createdAt ? beganAt : createdAt;
  if (postedAt > now) validation.addError('postedAt', problems.inFuture);
  if (postedAt < begin)
    validation.addError(
      'postedAt',
      problems.outOfRange(`must not be before the notice began (${begin.toISOString()})`),
    );
  if (shouldPublish) validation.addError('shouldPublish', problems.notApplicable('must be false with `postedAt`'));
  const states: readonly string[] = statesByType[type];
  if (state != null && !states.includes(state))
    validation.addError(
      'state',
      states.length ? problems.notIncluded(states) : problems.notApplicable('must be omitted for an announcement'),
    );
  const before = updates.findLast(update => update.postedAt <= postedAt);
  return { postedAt, state: (state as NoticeState) ?? before?.state ?? initialStates[type] };
}

/** A post-mortem is about a notice with states that is over, which has one at most. */
export function checkPostmortem(
  { state }: Pick<Notice, 'state'>,
  updates: readonly PostedUpdate[],
  validation: Validation,
): void {
  if (state === null || isOpen(state))
    validation.addError('kind', problems.notApplicable('must be UPDATE unless an incident or a maintenance is over'));
  if (updates.some(({ kind }) => kind === 'postmortem'))
    validation.addError('kind', problems.notApplicable('must be UPDATE, since the notice has a post-mortem already'));
}
