import { SignOutDocument } from '../api/documents.ts';
import { request, RequestError } from '../api/transport.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from './screen.module.css';

/** Why something was not written; where it takes a recent sign-in, with the way to that and back to this screen. */
export function WriteError({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  const needsSignIn =
    error instanceof RequestError && error.code === 'FORBIDDEN' && error.message.startsWith('Sign in again');
  const signInAgain = async () => {
    await request(SignOutDocument, {});
    location.assign(`/sign-in?to=${encodeURIComponent(location.pathname)}`);
  };
  return (
    <div className={styles.writeError}>
      <FormError>{error.message}</FormError>
      {needsSignIn && (
        <Button icon="key" onClick={() => void signInAgain().catch(() => {})}>
          Sign in again
        </Button>
      )}
    </div>
  );
}
