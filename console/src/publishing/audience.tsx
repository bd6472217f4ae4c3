import type { Channel, PreviewQuery, SkipReason } from '../api/documents.ts';
import { formatCount } from '../ui/format-count.ts';
import styles from './publishing.module.css';

export type Preview = NonNullable<PreviewQuery['previewPublication']>;

export const channelNames: Record<Channel, string> = {
  EMAIL: 'E-mail',
  SMS: 'SMS',
  SLACK: 'Slack',
  TEAMS: 'Teams',
  MASTODON: 'Mastodon',
};

const reasons: Partial<Record<SkipReason, string>> = {
  CHANNEL_OFF: 'the channel is switched off for this page',
  NOTICE_DELETED: 'the notice was deleted',
  NOT_SENT_ON_THIS_CHANNEL: 'this is not sent on this channel',
  NO_ADDRESS: 'no address for this channel',
  OUT_OF_SCOPE: 'subscribed to other components or kinds of notices',
  STOPPED: 'the messages were stopped',
  SUBSCRIBER_DELETED: 'the subscriber was deleted',
  SUPERSEDED: 'there is a newer message',
  SUSPENDED: 'suspended, because the address refused several messages',
  UNCONFIRMED: 'the address is not confirmed',
  UNSUBSCRIBED: 'unsubscribed',
  UPDATE_DELETED: 'the update was deleted',
};

const isPersonal = (channel: Channel) => channel === 'EMAIL' || channel === 'SMS';

/** "Publish and notify 1,204 people", by who would be notified. Undefined: nobody would. */
export function describePublishing({ audience }: Pick<Preview, 'audience'>): string | undefined {
  const reached = audience?.filter(({ count }) => count > 0) ?? [];
  const people = reached.filter(({ channel }) => isPersonal(channel)).reduce((sum, { count }) => sum + count, 0);
  if (people) return `Publish and notify ${formatCount(people)} ${people === 1 ? 'person' : 'people'}`;
  const channels = reached.map(({ channel }) => channelNames[channel]);
  return channels.length ? `Publish and post to ${channels.join(' and ')}` : undefined;
}

/** Who is notified, who not, and why. */
export function Audience({ preview }: { preview: Preview }) {
  const { audience, excluded } = preview;
  return (
    <details className={styles.audience}>
      <summary>Who is notified, and who is not</summary>
      <dl>
        {audience?.map(({ channel, count }) => (
          <div key={channel}>
            <dt>{channelNames[channel]}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
        {!audience?.length && <p>Nobody.</p>}
      </dl>
      {Boolean(excluded?.length) && (
        <>
          <h2>Not notified</h2>
          <dl>
            {excluded?.map(({ channel, count, reason }) => (
              <div key={`${channel} ${reason}`}>
                <dt>
                  {channelNames[channel]}: {reasons[reason] ?? reason.toLowerCase()}
                </dt>
                <dd>{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </details>
  );
}
