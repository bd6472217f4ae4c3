import { Link } from 'wouter';
import { ReadinessDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import styles from './first-run.module.css';

/** What is not set up, though a page cannot do without it: mail, and a way to sign in again. */
export function Missing({ pageId }: { pageId: string }) {
  const { data } = useLazyRead(ReadinessDocument, { pageId });
  if (!data) return null;
  const hasMail = data.page?.channels.some(({ channel, isConfigured }) => channel === 'EMAIL' && isConfigured);
  const hasPasskey = data.viewer?.person?.passkeys.length;
  const offersPasskeys = data.signInMethods?.includes('PASSKEY');
  const offersMore = data.signInMethods?.some(method => method === 'EMAIL_CODE' || method === 'OPENID_CONNECT');
  if (hasMail && (hasPasskey || !offersPasskeys)) return null;
  return (
    <div className={styles.missing}>
      {!hasMail && (
        <div>
          <strong>E-mail is not set up: your page cannot notify by mail</strong>
          <p>
            Set <code>SMTP_URL</code> and <code>MAIL_FROM</code> in the environment of the service, and restart it.{' '}
            <code>allclear doctor</code> checks both.
          </p>
        </div>
      )}
      {!hasPasskey && offersPasskeys && (
        <div>
          <strong>Add a passkey before you sign out</strong>
          <p>
            {offersMore
              ? 'You sign in with a fingerprint, a PIN or a security key instead of a code.'
              : 'Without one, only a link that an operator prints on the command line signs you in again.'}
          </p>
          <Link href="/account">Add a passkey</Link>
        </div>
      )}
    </div>
  );
}
