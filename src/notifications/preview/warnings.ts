import type { ManualComponentStatus } from '../../components/manual-status.rules.js';
import { findOffset } from '../../pages/time-zones.js';
import type { WarningCode } from '../warning.fields.js';

export interface WarningFacts {
  /** From the message snapshot; null when nothing would be published. */
  publication: {
    zone: string;
    type: string;
    state: string | null;
    beginsAt: Date | null;
    endsAt: Date | null;
  } | null;
  /** False where no subscriber is notified. */
  isForAllSubscribers: boolean;
  /** The labels of channels, and how many of their recipients earlier messages alone are the reason to notify. */
  notifiedEarlier: readonly { channel: string; count: number }[];
  /** Subjects of other open notices that name one of the components, an ancestor or a descendant. */
  overlappingSubjects: readonly string[];
  /** The components that the notice names and that have a manual status. */
  manualStatuses: readonly { name: string; state: ManualComponentStatus }[];
  /** The labels of channels, how many of their recipients are suspended, and what each of these did. */
  suspended: readonly { channel: string; count: number; cause: string }[];
}

const listCounts = (list: readonly { channel: string; count: number }[]): string =>
  list.map(({ channel, count }) => `${channel} (${count})`).join(', ');

/** What the author of a publication may have overlooked; in English, since it is for operators. */
export function findWarnings(
  { publication, isForAllSubscribers, notifiedEarlier, overlappingSubjects, manualStatuses, suspended }: WarningFacts,
  now: Date,
): { code: WarningCode; message: string }[] {
  if (!publication) return [{ code: 'unchanged', message: 'Nothing changes, so nothing is published.' }];
  const { zone, type, state, beginsAt, endsAt } = publication;
  const warnings: { code: WarningCode; message: string }[] = [];
  const isScheduled = type === 'planned' && state === 'scheduled' && beginsAt && endsAt;
  if (isScheduled && beginsAt <= now)
    warnings.push({
      code: 'window_past',
      message: `The window ${endsAt <= now ? 'is already over' : 'has already begun'}.`,
    });
  if (isScheduled && findOffset(zone, beginsAt) !== findOffset(zone, endsAt))
    warnings.push({ code: 'summer_time', message: `The clocks in ${zone} change within the window.` });
  if (isForAllSubscribers)
    warnings.push({
      code: 'all_subscribers',
      message: 'The notice names no component, so all subscribers are notified.',
    });
  if (notifiedEarlier.length)
    warnings.push({
      code: 'notified_earlier',
      message:
        `Including recipients notified earlier, who chose none of the components that the notice names now: ` +
        `${listCounts(notifiedEarlier)}. They are notified until it is over: ` +
        'say in the text what no longer affects them.',
    });
  const subjects = overlappingSubjects.map(subject => `"${subject}"`).join(', ');
  if (subjects)
    warnings.push({
      code: 'overlapping_notice',
      message: `Another open notice affects the same components: ${subjects}.`,
    });
  if (manualStatuses.length)
    warnings.push({
      code: 'manual_status',
      message:
        'These components keep the state that they were set to, whatever the notice says: ' +
        `${manualStatuses.map(({ name, state }) => `"${name}" (${state.replace('-', ' ')})`).join(', ')}.`,
    });
  const byCause = [...Map.groupBy(suspended, ({ cause }) => cause)].map(
    ([cause, found]) => `${listCounts(found)}, each of which ${cause}`,
  );
  if (byCause.length)
    warnings.push({
      code: 'suspended_recipients',
      message: `Not notified, since they are suspended: ${byCause.join('; ')}.`,
    });
  return warnings;
}
