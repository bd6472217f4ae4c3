import { RotateWebhookSecretDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import type { Webhook } from './webhook-row.tsx';
import styles from '../ui/list.module.css';

/** The secret is shown once, and cannot be read again. */
export function ShownSecret({
  secret,
  publicKey,
  onClose,
}: {
  secret: string;
  publicKey: string;
  onClose: () => void;
}) {
  return (
    <div role="status" className={styles.form}>
      <p>Copy this secret now, by which your program verifies what it is sent. It is not shown again.</p>
      <CopyText label="Secret" text={secret} />
      <p>Programs that verify by a public key need no secret. This one is that of the page:</p>
      <CopyText label="Public key" text={publicKey} />
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}

export function RotateSecret({ webhook: { id, host }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const write = useUnrepeatedWrite(RotateWebhookSecretDocument);
  const result = write.data?.result;
  const title = `Replace the secret of ${host}`;
  return (
    <Dialog title={title} onClose={onClose}>
      {result?.secret ? (
        <ShownSecret secret={result.secret} publicKey={result.webhook!.publicKey} onClose={onClose} />
      ) : (
        <div className={styles.form}>
          <p>For a day requests are signed by both secrets, so that you can change your program meanwhile.</p>
          <FormError>{write.error?.message}</FormError>
          <div className={styles.buttons}>
            <Button look="primary" disabled={write.isPending} onClick={() => write.mutate({ id })}>
              Replace
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
