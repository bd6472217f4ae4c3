import { Icon, type IconName } from './icon.tsx';
import styles from './state-label.module.css';

export type Tone = 'ok' | 'warn' | 'down' | 'plan' | 'none';

/** How each state is shown, of notices, components and deliveries: a word, an icon and a colour. */
const labels: Record<string, readonly [string, IconName, Tone]> = {
  INVESTIGATING: ['Investigating', 'alert', 'warn'],
  IDENTIFIED: ['Identified', 'alert', 'warn'],
  RECOVERING: ['Recovering', 'half', 'warn'],
  RESOLVED: ['Resolved', 'check', 'ok'],
  FALSE_ALARM: ['False alarm', 'crossed', 'none'],
  SCHEDULED: ['Scheduled', 'clock', 'plan'],
  UNDERWAY: ['In progress', 'wrench', 'plan'],
  COMPLETE: ['Complete', 'check', 'ok'],
  CANCELLED: ['Cancelled', 'crossed', 'none'],
  GENERAL: ['Announcement', 'megaphone', 'none'],
  OPERATIONAL: ['Operational', 'check', 'ok'],
  PARTIALLY_DEGRADED: ['Partially degraded', 'half', 'warn'],
  DEGRADED: ['Degraded', 'alert', 'warn'],
  UNKNOWN: ['Unknown', 'question', 'none'],
  PARTIAL_OUTAGE: ['Partial outage', 'half', 'down'],
  MAINTENANCE: ['Maintenance', 'wrench', 'plan'],
  MAJOR_OUTAGE: ['Major outage', 'crossed', 'down'],
  PENDING: ['Waiting', 'clock', 'none'],
  SENDING: ['Sending', 'mail', 'plan'],
  RETRYING: ['Retrying', 'history', 'warn'],
  SENT: ['Sent', 'check', 'ok'],
  DEAD: ['Failed', 'alert', 'down'],
  ON: ['On', 'check', 'ok'],
  OFF: ['Off', 'crossed', 'none'],
  NOT_CONFIGURED: ['Not set up', 'crossed', 'none'],
  SUSPENDED: ['Suspended', 'alert', 'down'],
  TEST_SENT: ['The test was accepted', 'check', 'ok'],
  TEST_FAILED: ['The test failed', 'history', 'warn'],
  TEST_REFUSED: ['The test was refused', 'alert', 'down'],
  SKIPPED: ['Not sent', 'crossed', 'none'],
};

export const wordOf = (state: string): string => labels[state]?.[0] ?? state;

export function StateLabel({ state }: { state: string }) {
  const [word, icon, tone] = labels[state] ?? [state, 'half', 'none'];
  return (
    <span className={`${styles.label} ${styles[tone]}`}>
      <Icon name={icon} size={16} />
      {word}
    </span>
  );
}
