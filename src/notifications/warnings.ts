import type { ManualComponentStatus } from '../components/manual-status.rules.js';
import { findOffset } from '../pages/time-zones.js';
import type { WarningCode } from './warning.fields.js';

/** What a notice says after a change, and what else is on the page. */
export interface NoticeFacts {
  zone: string;
  type: string;
  state: string | null;
  beginsAt: Date | null;
  endsAt: Date | null;
  /** Subjects of other open notices that name one of the components, an ancestor or a descendant. */
  overlappingSubjects: readonly string[];
  /** The components that the notice names and that have a manual status. */
  manualStatuses: readonly { name: string; state: ManualComponentStatus }[];
}

/** Who is notified of a publication. */
export interface RecipientFacts {
  hasRecipients: boolean;
  /** False where no subscriber is notified. */
  isForAllSubscribers: boolean;
  /** The labels of channels, and how many of their recipients earlier messages alone are the reason to notify. */
  notifiedEarlier: readonly { channel: string; count: number }[];
  /** The labels of channels, how many of their recipients are suspended, and what each of these did. */
  suspended: readonly { channel: string; count: number; cause: string }[];
}

export interface Warning {
  code: WarningCode;
  message: string;
}

const listCounts = (list: readonly { channel: string; count: number }[]): string =>
  list.map(({ channel, count }) => `${channel} (${count})`).join(', ');

/** What the author of a change may have overlooked about the notice; in English, since it is for operators. */
export function warnOfNotice(
  { zone, type, state, beginsAt, endsAt, overlappingSubjects, manualStatuses }: NoticeFacts,
  now: Date,
): Warning[] {
  const warnings: Warning[] = [];
  const isScheduled = type === 'planned' && state === 'scheduled' && beginsAt && endsAt;
  if (isScheduled && beginsAt <= now)
    warnings.push({
      code: 'window_past',
      message: `The window ${endsAt <= now ? 'is already over' : 'has already begun'}.`,
    });
  if (isScheduled && findOffset(zone, beginsAt) !== findOffset(zone, endsAt))
    warnings.push({ code: 'summer_time', message: `The clocks in ${zone} change within the window.` });
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
        'These components keep the status that a person set, whatever the notice says: ' +
        `${manualStatuses.map(({ name, state }) => `"${name}" (${state.replace('-', ' ')})`).join(', ')}.`,
    });
  return warnings;
}

/** The same about who is notified. */
export function warnOfRecipients({
  hasRecipients,
  isForAllSubscribers,
  notifiedEarlier,
  suspended,
}: RecipientFacts): Warning[] {
  const warnings: Warning[] = [];
  if (!hasRecipients)
    warnings.push({
      code: 'no_recipients',
      message:
        'There is nobody to notify: no channel of the page is in use, and no subscriber or webhook that is not ' +
        'suspended gets this notice.',
    });
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
