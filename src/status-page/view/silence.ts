import { findStaleAt } from '../../notices/next-update/stale.rules.js';
import { parseTime } from './snapshot-times.js';
import type { SnapshotNotice, SnapshotPage } from './snapshot.js';

interface Silence {
  /** The last update. */
  since: Date;
  /** From when on the page says so. */
  staleAt: Date;
}

/** Null: the notice cannot become stale. */
export function findSilence(notice: SnapshotNotice, { staleAfterMinutes = 0 }: SnapshotPage): Silence | null {
  const { type, state, endsAt, nextUpdateBy, lastUpdateAt, beganAt, createdAt } = notice;
  const since = new Date(lastUpdateAt ?? beganAt ?? createdAt);
  const staleAt = findStaleAt(
    { type, state, endsAt: parseTime(endsAt), nextUpdateBy: parseTime(nextUpdateBy), lastUpdateAt: since },
    staleAfterMinutes,
  );
  return staleAt && { since, staleAt };
}
