import type { FormEvent } from 'react';
import { TestChannelDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { StateLabel } from '../ui/state-label.tsx';
import { kinds, type PageChannel } from './kinds.ts';
import styles from '../ui/list.module.css';

interface Props {
  pageId: string;
  channel: PageChannel;
  onClose: () => void;
}

/** Sends one message at once, and shows what the server said. */
export function TestChannel({ pageId, channel: { channel, host }, onClose }: Props) {
  const session = useSession();
  const { label, address } = session.describeChannel(channel);
  const { recipient } = kinds[address];
  const [to = recipient?.type === 'email' ? session.email : '', setTo] = useStored<string>(`test of ${channel}`);
  const write = useWrite(TestChannelDocument);
  const result = write.data?.result;
  const { errors, others } = toFormErrors(result?.userErrors, ['to']);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate({ pageId, input: { channel, ...(recipient && { to }) } });
  };
  return (
    <Dialog title={`Test ${label}`} onClose={onClose}>
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        {recipient ? (
          <TextField
            label={recipient.label}
            type={recipient.type}
            autoFocus
            value={to}
            error={errors.to}
            onChange={event => setTo(event.target.value)}
          />
        ) : (
          <p>One message that says it is a test goes to {host}.</p>
        )}
        {result?.outcome && (
          <div role="status" className={styles.form}>
            <p>
              <StateLabel state={`TEST_${result.outcome}`} />
            </p>
            <pre className={styles.secret}>{result.response}</pre>
          </div>
        )}
        <FormError>{write.error?.message ?? others}</FormError>
        <div className={styles.buttons}>
          <Button type="submit" look="primary" disabled={write.isPending}>
            {write.isPending ? 'Sending …' : 'Send a test'}
          </Button>
          <Button onClick={onClose}>{result?.outcome ? 'Close' : 'Cancel'}</Button>
        </div>
      </form>
    </Dialog>
  );
}
