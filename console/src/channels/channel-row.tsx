import { RemoveChannelDocument, SwitchChannelDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatDistance, useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FormError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import { kinds, type PageChannel, switchName } from './kinds.ts';
import styles from './channels.module.css';

interface Props {
  pageId: string;
  channel: PageChannel;
  onConfigure: () => void;
  onTest: () => void;
}

export function ChannelRow({ pageId, channel, onConfigure, onTest }: Props) {
  const { label, address, settings } = useSession().describeChannel(channel.channel);
  const { icon, urlLabel } = kinds[address];
  const change = useWrite(SwitchChannelDocument);
  const remove = useWrite(RemoveChannelDocument);
  const { isConfigured, isActive } = channel;
  return (
    <li className={styles.row}>
      <h2>
        <Icon name={icon} /> {label}
      </h2>
      <div className={styles.content}>
        <p className={styles.state}>
          <StateLabel state={toState(channel)} />
          {channel.host && <span>{channel.host}</span>}
        </p>
        {!isConfigured && settings.length > 0 && (
          <p>An operator sets this up for all pages, with the settings {settings.join(' and ')}.</p>
        )}
        {channel.failingSince && (
          <p role="status">
            Messages cannot be sent at the moment: {channel.failure}. They are retried, and no recipient is suspended.
          </p>
        )}
        {channel.suspendedAt && (
          <p>
            Suspended after the server refused three messages in a row: {channel.suspensionReason}. Send a successful
            test, or set another address, to end this.
          </p>
        )}
        {address === 'BROWSERS' ? (
          <p className={styles.hint}>To browsers that visitors subscribe on the page</p>
        ) : (
          isConfigured && <LastTest channel={channel} />
        )}
        <FormError>{change.error?.message ?? remove.error?.message}</FormError>
        <div className={styles.buttons}>
          {urlLabel && (
            <Button onClick={onConfigure}>
              {isConfigured ? 'Change' : 'Set up'}
              <span className={styles.hidden}> {label}</span>
            </Button>
          )}
          {isConfigured && (
            <>
              {address !== 'BROWSERS' && (
                <Button onClick={onTest}>
                  Test<span className={styles.hidden}> {label}</span>
                </Button>
              )}
              <Button
                look="quiet"
                disabled={change.isPending}
                onClick={() => change.mutate({ id: pageId, input: { [switchName(channel.channel)]: !isActive } })}
              >
                {isActive ? 'Switch off' : 'Switch on'}
                <span className={styles.hidden}> {label}</span>
              </Button>
            </>
          )}
          {isConfigured && urlLabel && (
            <ConfirmButton
              label="Remove"
              question={`Remove ${label}`}
              onConfirm={() => remove.mutate({ pageId, channel: channel.channel })}
            />
          )}
        </div>
      </div>
    </li>
  );
}

function toState({ isConfigured, isActive, suspendedAt }: PageChannel): string {
  if (!isConfigured) return 'NOT_CONFIGURED';
  if (!isActive) return 'OFF';
  return suspendedAt ? 'SUSPENDED' : 'ON';
}

/** The server's own words: only they say what to mend. */
function LastTest({ channel: { testedAt, testOutcome, testResponse } }: { channel: PageChannel }) {
  const now = useNow();
  if (!testedAt) return <p className={styles.hint}>No test was sent yet</p>;
  return (
    <div className={styles.test}>
      <p>
        <StateLabel state={`TEST_${testOutcome}`} /> <small>{formatDistance(testedAt, now)}</small>
      </p>
      <pre>{testResponse}</pre>
    </div>
  );
}
