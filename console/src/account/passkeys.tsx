import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type AccountQuery, DeletePasskeyDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { TextField } from '../ui/field.tsx';
import { describeBrowser } from './browser-name.ts';
import { RenamePasskey } from './rename-passkey.tsx';
import { canCreatePasskeys, createPasskey } from './webauthn.ts';
import styles from '../ui/list.module.css';

type Passkey = NonNullable<NonNullable<AccountQuery['viewer']>['person']>['passkeys'][number];

/** The keys by which the person signs in, without a code. */
export function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  const now = useNow();
  const client = useQueryClient();
  const [name, setName] = useState(() => describeBrowser(navigator.userAgent));
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const create = useMutation({
    mutationFn: () => createPasskey(name),
    networkMode: 'always',
    onSuccess: created => {
      if (created && !created.userErrors.length) setName('');
      return client.invalidateQueries();
    },
  });
  const remove = useWrite(DeletePasskeyDocument);
  const [refused] = create.data?.userErrors ?? [];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <>
      <p className={styles.quiet}>Sign in with a fingerprint, a PIN or a security key instead of a code.</p>
      <ul>
        {passkeys.map(passkey => (
          <li key={passkey.id} className={styles.row}>
            <div className={styles.main}>
              <span>{passkey.name}</span>
              <small>
                Added {formatTime(passkey.createdAt)},{' '}
                {passkey.lastUsedAt ? `used ${formatDistance(passkey.lastUsedAt, now)}` : 'never used'}
                {!passkey.isBackedUp && ' · on one device only'}
              </small>
            </div>
            <div className={styles.buttons}>
              <Button look="quiet" aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
                Rename
              </Button>
              <ConfirmButton
                label="Delete"
                question={`Delete ${passkey.name}`}
                onConfirm={() => remove.mutate({ id: passkey.id })}
              />
            </div>
          </li>
        ))}
      </ul>
      <WriteError error={create.error ?? remove.error} />
      {canCreatePasskeys() ? (
        <form className={styles.inline} onSubmit={onSubmit}>
          <TextField
            label="Name of a new passkey"
            value={name}
            error={refused?.message.replaceAll('`', '')}
            onChange={event => setName(event.target.value)}
          />
          <Button type="submit" icon="plus" disabled={create.isPending}>
            Add a passkey
          </Button>
        </form>
      ) : (
        <p className={styles.quiet}>This browser cannot create passkeys.</p>
      )}
      {renamed && <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} />}
    </>
  );
}
