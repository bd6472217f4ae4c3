import { type NoticeCounts, noticeLimits, type PageSnapshot, type SnapshotNotice, updateLimits } from './snapshot.js';

type Bounded = Pick<PageSnapshot, 'counts' | 'notices'>;

/** Whether the snapshot has all open notices, and all that ended within the days of the history. */
export function isComplete({ counts, notices }: Bounded): boolean {
  const { open, general, past } = countByLimit(notices);
  const isOpenComplete = !counts || counts.present + counts.future <= open;
  return isOpenComplete && general < noticeLimits.general && past < noticeLimits.past;
}

/**
 * How many notices the page has in each list of the front page beyond those that are shown. Notices leave the past
 * lists as time passes, so a difference counts only where the snapshot has as many as it can.
 */
export function countOmitted({ counts, notices }: Bounded, shown: NoticeCounts): NoticeCounts {
  const { general, past } = countByLimit(notices);
  const subtract = (list: keyof NoticeCounts) => Math.max(0, (counts?.[list] ?? 0) - shown[list]);
  return {
    present: subtract('present'),
    future: subtract('future'),
    general: general < noticeLimits.general ? 0 : subtract('general'),
    past: past < noticeLimits.past ? 0 : subtract('past'),
  };
}

/**
 * Whether a notice has all of its updates, and those that were edited their earlier texts. A disk snapshot of an
 * earlier version does not say how many there are: then as many as the limit may not be all.
 */
export function isWhole({ updates, updateCount }: Pick<SnapshotNotice, 'updates' | 'updateCount'>): boolean {
  const hasAll =
    updateCount === undefined ? updates.length < updateLimits.ofList.count : updateCount === updates.length;
  return hasAll && updates.every(({ editedAt, revisions }) => !editedAt || revisions?.length);
}

function countByLimit(notices: PageSnapshot['notices']): { open: number; general: number; past: number } {
  const ended = notices.filter(({ endedAt }) => endedAt !== null);
  const general = ended.filter(({ type }) => type === 'general').length;
  return { open: notices.length - ended.length, general, past: ended.length - general };
}
