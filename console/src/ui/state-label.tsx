import { getNoticeTone, noticeStyles, stateStyles, type Tone } from '../../../src/pages/branding/state-styles.ts';
import { StateIcon, type StateIconName, toPublicState } from './state-icon.tsx';
import styles from './state-label.module.css';

/** The words of the public page for the states of notices, components and pages. */
export const publicWords: Record<string, string> = {
  INVESTIGATING: 'Investigating',
  IDENTIFIED: 'Identified',
  RECOVERING: 'Recovering',
  RESOLVED: 'Resolved',
  FALSE_ALARM: 'False alarm',
  SCHEDULED: 'Scheduled',
  UNDERWAY: 'In progress',
  COMPLETE: 'Complete',
  CANCELLED: 'Cancelled',
  GENERAL: 'Announcement',
  OPERATIONAL: 'Operational',
  PARTLY_AFFECTED: 'Partially degraded',
  DEGRADED: 'Degraded',
  UNKNOWN: 'Unknown',
  PARTIAL_OUTAGE: 'Partial outage',
  MAINTENANCE: 'Maintenance',
  MAJOR_OUTAGE: 'Major outage',
};

/** How each state of a delivery, a channel or a test is shown, which the public page does not have. */
const consoleStates: Record<string, readonly [string, StateIconName, Tone]> = {
  PENDING: ['Waiting', 'clock', 'none'],
  SENDING: ['Sending', 'dot', 'plan'],
  RETRYING: ['Retrying', 'alert', 'warn'],
  SENT: ['Sent', 'check', 'ok'],
  DEAD: ['Failed', 'crossed', 'down'],
  ON: ['On', 'check', 'ok'],
  OFF: ['Off', 'crossed', 'none'],
  NOT_CONFIGURED: ['Not set up', 'crossed', 'none'],
  SUSPENDED: ['Suspended', 'crossed', 'down'],
  TEST_SENT: ['The test was accepted', 'check', 'ok'],
  TEST_FAILED: ['The test failed', 'alert', 'warn'],
  TEST_REFUSED: ['The test was refused', 'crossed', 'down'],
  SKIPPED: ['Not sent', 'crossed', 'none'],
};

const publicStyles: Record<string, { tone: Tone; icon: StateIconName }> = { ...noticeStyles, ...stateStyles };

/** Its icon and colour on the public page. An incident with an outage has its colour until it recovers. */
function styleOf(state: string, hasOutage: boolean): { tone: Tone; icon: StateIconName } {
  const name = state.toLowerCase();
  const style = publicStyles[name] ?? publicStyles[toPublicState(state)] ?? { tone: 'none', icon: 'dot' };
  return name in noticeStyles ? { ...style, tone: getNoticeTone(name as keyof typeof noticeStyles, hasOutage) } : style;
}

export const wordOf = (state: string): string => publicWords[state] ?? consoleStates[state]?.[0] ?? state;

export function StateLabel({ state, hasOutage = false }: { state: string; hasOutage?: boolean }) {
  const [, icon, tone] = consoleStates[state] ?? [];
  const style = icon && tone ? { icon, tone } : styleOf(state, hasOutage);
  return (
    <span className={styles.label}>
      <StateIcon name={style.icon} tone={style.tone} />
      {wordOf(state)}
    </span>
  );
}
