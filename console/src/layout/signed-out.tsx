import { SignInMethodsDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './signed-out.module.css';

/** The way in: the page of the service where it offers one, and in any case a link of somebody who administers it. */
export function SignedOut() {
  const { data } = useLazyRead(SignInMethodsDocument, {});
  return (
    <main className={styles.page}>
      <p className={styles.brand}>
        <Icon name="check" /> All Clear
      </p>
      <h1>Sign in to the console</h1>
      {data?.signInMethods?.some(method => method !== 'LINK') && (
        <p>
          <a className={styles.button} href={`/sign-in?to=${encodeURIComponent(window.location.pathname)}`}>
            Sign in
          </a>
        </p>
      )}
      <p>Somebody who administers this service can also print a link that signs you in, with the role that you have:</p>
      <pre>allclear people invite you@example.com</pre>
      <p>and give you a role where you have none:</p>
      <pre>allclear people invite you@example.com --role publisher --pages 2017f84a</pre>
      <p>Text that you have not sent is stored in this browser. You see it again after you sign in.</p>
    </main>
  );
}
