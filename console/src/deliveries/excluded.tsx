import { Link } from 'wouter';
import type { Channel, PreviewResendMutation, SkipReason } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { skipReasons } from '../publishing/audience.tsx';
import { formatCount } from '../ui/format-count.ts';
import styles from '../ui/list.module.css';

type Part = NonNullable<NonNullable<PreviewResendMutation['result']>['excluded']>[number];

/** Where an operator can change that nothing is sent. */
function toRemedy(pageId: string, channel: Channel, reason: SkipReason, address: string): string | null {
  if (reason === 'CHANNEL_OFF') return `/pages/${pageId}/channels`;
  if (reason !== 'SUSPENDED') return null;
  const isSubscriber = channel === 'EMAIL' || channel === 'SMS';
  return isSubscriber
    ? `/pages/${pageId}/subscribers?search=${encodeURIComponent(address)}`
    : `/pages/${pageId}/channels`;
}

/** The recipients whose failed messages are not resent: a row for each channel and reason. */
export function Excluded({ pageId, excluded }: { pageId: string; excluded: Part[] }) {
  const session = useSession();
  if (!excluded.length) return null;
  return (
    <ul aria-label="Not sent again">
      {excluded.map(({ channel, reason, sample, count }) => (
        <li key={`${channel} ${reason}`} className={styles.row}>
          <div className={styles.main}>
            <span>
              {session.describeChannel(channel).label}: {skipReasons[reason] ?? reason.toLowerCase()}
            </span>
            {sample.map(address => {
              const remedy = toRemedy(pageId, channel, reason, address);
              return (
                <small key={address}>
                  {address} {remedy && <Link href={remedy}>Open it</Link>}
                </small>
              );
            })}
          </div>
          <small>
            {formatCount(count)} {count === 1 ? 'message' : 'messages'}
          </small>
        </li>
      ))}
    </ul>
  );
}
