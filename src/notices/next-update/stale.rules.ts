import { isOpen, type NoticeState, type NoticeType, openSql } from '../notice.states.js';

const minuteMs = 60_000;
/** How long after the end of its window a maintenance that is still open is stale. */
const overrunMinutes = 30;

interface SilentNotice {
  type: NoticeType;
  state: NoticeState | null;
  endsAt: Date | null;
  /** The last update: a text or another state. */
  lastUpdateAt: Date;
  /** By when the next update is promised: until then its absence is announced. */
  nextUpdateBy: Date | null;
}

/** From when on an open notice counts as stale, because nobody has updated it. Null: never. */
export function findStaleAt(notice: SilentNotice, staleAfterMinutes: number): Date | null {
  const { type, state, endsAt, lastUpdateAt, nextUpdateBy } = notice;
  if (!staleAfterMinutes || !isOpen(state)) return null;
  const staleAfterMs = staleAfterMinutes * minuteMs;
  const silentAt =
    type === 'planned' && endsAt && lastUpdateAt <= endsAt
      ? endsAt.getTime() + overrunMinutes * minuteMs
      : lastUpdateAt.getTime() + staleAfterMs;
  return new Date(Math.max(silentAt, nextUpdateBy ? nextUpdateBy.getTime() + staleAfterMs : 0));
}

/** SQL: the last update of a notice `n`. Notices that were imported may have none. */
export const lastUpdateSql = (n: string): string => `coalesce(${n}.last_update_at, ${n}.began_at, ${n}.created_at)`;

/** SQL: the time that a page `p` allows without an update. */
export const staleAfterSql = (p: string): string => `${p}.stale_after_minutes * interval '1 minute'`;

/** `findStaleAt` in SQL, of a notice `n` of a page `p`. */
export const staleAtSql = (n: string, p: string): string => `
  case when ${p}.stale_after_minutes > 0 and ${openSql(`${n}.state`)} then greatest(
    case when ${n}.type = 'planned' and ${lastUpdateSql(n)} <= ${n}.ends_at
      then ${n}.ends_at + interval '${overrunMinutes} minutes'
      else ${lastUpdateSql(n)} + ${staleAfterSql(p)} end,
    ${n}.next_update_by + ${staleAfterSql(p)}) end`;

/** What a notice remembers of its last update. */
interface LastUpdate {
  lastUpdateAt?: Date | null;
  lastUpdateBy?: string | null;
  staleReminders: number;
}

/** Begins to count anew. */
export function markUpdated(notice: LastUpdate, actor: string, now: Date): void {
  Object.assign(notice, { lastUpdateAt: now, lastUpdateBy: actor, staleReminders: 0 });
}
