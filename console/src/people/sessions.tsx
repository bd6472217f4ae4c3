import { RevokeSessionDocument, SessionsDocument, SignOutDocument } from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from '../ui/list.module.css';

/** Where the person is signed in. */
export default function Sessions() {
  const now = useNow();
  const { viewer } = useRead(SessionsDocument, {});
  const revoke = useWrite(RevokeSessionDocument);
  const signOut = useUnrepeatedWrite(SignOutDocument);
  const leave = () => signOut.mutate({}, { onSuccess: () => location.assign('/console/') });
  return (
    <>
      <ScreenHeader title="Your sessions">
        <Button onClick={leave}>Sign out here</Button>
      </ScreenHeader>
      <FormError>{revoke.error?.message ?? signOut.error?.message}</FormError>
      <ul>
        {viewer?.person?.sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => (
          <li key={id} className={styles.row}>
            <div className={styles.main}>
              <span>{describeBrowser(userAgent)}</span>
              <small>
                Since {formatTime(createdAt)}, last seen {formatDistance(lastSeenAt, now)}
              </small>
            </div>
            <div className={styles.buttons}>
              <Button look="quiet" disabled={revoke.isPending} onClick={() => revoke.mutate({ id })}>
                End it
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** "Firefox on Android"; the whole text where neither is known. */
function describeBrowser(userAgent: string): string {
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(userAgent)?.[0].replace('Edg', 'Edge').replace('OPR', 'Opera');
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0].replace('Mac OS X', 'macOS');
  return browser && system ? `${browser} on ${system}` : userAgent || 'Unknown browser';
}
