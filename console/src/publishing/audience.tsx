import type { PreviewFragment, SkipReason } from '../api/documents.ts';
import { type ChannelDescription, type Session, useSession } from '../api/session.ts';
import { formatCount } from '../ui/format-count.ts';
import type { Previewed } from './use-preview.ts';
import styles from './publishing.module.css';

export const skipReasons: Partial<Record<SkipReason, string>> = {
  CHANNEL_OFF: 'the channel is switched off for this page, or not set up',
  NOTICE_DELETED: 'the notice was deleted',
  NOT_SENT_ON_THIS_CHANNEL: 'this is not sent on this channel',
  NO_ADDRESS: 'no address for this channel',
  OUT_OF_SCOPE: 'subscribed to other components or kinds of notices',
  STOPPED: 'the messages were stopped',
  SUBSCRIBER_DELETED: 'the subscriber was deleted',
  SUPERSEDED: 'there is a newer message',
  UNAFFECTED: 'not sent the wrong text',
  SUSPENDED: 'suspended, because earlier messages were not accepted',
  UNCONFIRMED: 'the address is not confirmed',
  UNSUBSCRIBED: 'unsubscribed',
  UPDATE_DELETED: 'the update was deleted',
};

/** A browser is that of one person. */
const goesToPeople = ({ address }: ChannelDescription) =>
  address === 'EMAIL_ADDRESS' || address === 'PHONE_NUMBER' || address === 'BROWSERS';

type Counted = Pick<PreviewFragment, 'audience'>;

/** Those who would be notified, and the channels of the pages. */
function countReached(session: Session, previews: (Counted | undefined)[]) {
  const reached = previews
    .flatMap(preview => preview?.audience ?? [])
    .filter(({ count }) => count > 0)
    .map(({ channel, ...counts }) => ({ ...session.describeChannel(channel), ...counts }));
  const ofPeople = reached.filter(goesToPeople);
  const people = ofPeople.reduce((sum, { count }) => sum + count, 0);
  const earlier = ofPeople.reduce((sum, { notifiedEarlierCount }) => sum + notifiedEarlierCount, 0);
  const channels = reached.filter(channel => !goesToPeople(channel));
  return { people, earlier, channels: [...new Set(channels.map(({ label }) => label))] };
}

const formatPeople = (count: number): string => `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`;

/**
 * "1,204 people and Slack", and "and 3 channels", since a button has two lines on a phone. Those who chose none of the
 * components, and were notified earlier, are named apart: "1,204 people, including 12 notified earlier, and Slack".
 */
function formatReached({ people, earlier, channels }: ReturnType<typeof countReached>): string {
  const counted = formatPeople(people) + (earlier ? `, including ${formatCount(earlier)} notified earlier` : '');
  const others = channels.length > 1 ? [`${channels.length} channels`] : channels;
  return [counted, ...others].join(earlier ? ', and ' : ' and ');
}

/** "1,204 people", or the channels of the page where there are none. Undefined: nobody. */
export function describeReached(session: Session, previews: Counted[]): string | undefined {
  const reached = countReached(session, previews);
  return reached.people ? formatReached(reached) : reached.channels.join(' and ') || undefined;
}

/** "Publish and notify 1,204 people", by who would be notified on all pages. Undefined: nobody would. */
export function describePublishing(session: Session, previews: Previewed[]): string | undefined {
  const verb = previews.length > 1 ? `Publish on ${previews.length} pages` : 'Publish';
  const reached = countReached(
    session,
    previews.map(({ preview }) => preview),
  );
  const { people, channels } = reached;
  if (people) return `${verb} and notify ${formatReached(reached)}`;
  return channels.length ? `${verb} and post to ${channels.join(' and ')}` : undefined;
}

/** Who is notified, who not, and why. */
export function Audience({ previews }: { previews: Previewed[] }) {
  const { pages } = useSession();
  return (
    <details className={styles.audience}>
      <summary>Who is notified, and who is not</summary>
      {previews.map(({ pageId, preview }) => (
        <div key={pageId}>
          {previews.length > 1 && <h2>{pages.find(({ id }) => id === pageId)?.name}</h2>}
          {preview ? <PageAudience preview={preview} /> : <p>Not counted yet.</p>}
        </div>
      ))}
    </details>
  );
}

function PageAudience({ preview: { audience, excluded } }: { preview: PreviewFragment }) {
  const session = useSession();
  return (
    <>
      <dl>
        {audience?.map(({ channel, count, notifiedEarlierCount }) => (
          <div key={channel}>
            <dt>{session.describeChannel(channel).label}</dt>
            <dd>
              {formatCount(count)}
              {notifiedEarlierCount > 0 && `, including ${formatCount(notifiedEarlierCount)} notified earlier`}
            </dd>
          </div>
        ))}
      </dl>
      {!audience?.length && <p>Nobody.</p>}
      {Boolean(excluded?.length) && (
        <>
          <h3>Not notified</h3>
          <dl>
            {excluded?.map(({ channel, count, reason }) => (
              <div key={`${channel} ${reason}`}>
                <dt>
                  {session.describeChannel(channel).label}: {skipReasons[reason] ?? reason.toLowerCase()}
                </dt>
                <dd>{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}
