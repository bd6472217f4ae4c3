import { type AccountQuery, RevokeSessionDocument, SignOutDocument } from '../api/documents.ts';
import { useUnrepeatedWrite, useWrite } from '../api/hooks.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { describeBrowser } from './browser-name.ts';
import { canReceivePushes, endPush, findSubscription } from './push-subscription.ts';
import styles from '../ui/list.module.css';

type Session = NonNullable<NonNullable<AccountQuery['viewer']>['person']>['sessions'][number];

/** Where the person is signed in. */
export function Sessions({ sessions }: { sessions: Session[] }) {
  const now = useNow();
  const revoke = useWrite(RevokeSessionDocument);
  const signOut = useUnrepeatedWrite(SignOutDocument);
  const leave = async () => {
    const subscription = canReceivePushes && (await findSubscription());
    // The browser may be that of several people.
    if (subscription) await endPush(subscription).catch(() => {});
    signOut.mutate({}, { onSuccess: () => location.assign('/console/') });
  };
  return (
    <>
      <FormError>{revoke.error?.message ?? signOut.error?.message}</FormError>
      <ul>
        {sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => (
          <li key={id} className={styles.row}>
            <div className={styles.main}>
              <span>{describeBrowser(userAgent)}</span>
              <small>
                Since {formatTime(createdAt)}, last seen {formatDistance(lastSeenAt, now)}
              </small>
            </div>
            <div className={styles.buttons}>
              <Button look="quiet" disabled={revoke.isPending} onClick={() => revoke.mutate({ id })}>
                End the session
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <div className={styles.pager}>
        <Button onClick={leave}>Sign out here</Button>
      </div>
    </>
  );
}
