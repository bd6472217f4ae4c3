import { RequestError } from '../api/transport.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from './screen.module.css';

/** Why something was not written; where it takes a recent sign-in, with the way to that and back to this screen. */
export function WriteError({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  const needsSignIn =
    error instanceof RequestError && error.code === 'FORBIDDEN' && error.message.startsWith('Sign in again');
  return (
    <div className={styles.writeError}>
      <FormError>{error.message}</FormError>
      {needsSignIn && (
        <Button
          icon="key"
          onClick={() => location.assign(`/sign-in?again&to=${encodeURIComponent(location.pathname)}`)}
        >
          Sign in again
        </Button>
      )}
    </div>
  );
}
