import { useState } from 'react';
import {
  CreateAlertSourceDocument,
  RotateAlertSourceUrlDocument,
  UpdateAlertSourceDocument,
} from '../api/documents.ts';
import { useUnrepeatedWrite, useWrite } from '../api/hooks.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';
import type { Source } from './rules.ts';

interface Props {
  pageId: string;
  /** Undefined: a new one. */
  source: Source | undefined;
  onClose: () => void;
}

/** The address of a source is shown once, and cannot be read again. */
export function EditSource({ pageId, source, onClose }: Props) {
  const [name, setName] = useState(source?.name ?? '');
  const [secret, setSecret] = useState('');
  const create = useUnrepeatedWrite(CreateAlertSourceDocument);
  const rotate = useUnrepeatedWrite(RotateAlertSourceUrlDocument);
  const update = useWrite(UpdateAlertSourceDocument);
  const write = source ? update : create;
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['name', 'secret']);
  const hookUrl = create.data?.result?.hookUrl ?? rotate.data?.result?.hookUrl;
  const title = source ? 'Edit the source' : 'Add a source';
  const save = (input: { name: string; secret?: string | null }) =>
    source ? update.mutateAsync({ pageId, id: source.id, input }) : create.mutateAsync({ pageId, input });
  const onSubmit = async () => {
    const { result } = await save({ name, ...(secret && { secret }) });
    if (source && !result?.userErrors.length) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {hookUrl ? (
        <div role="status" className={styles.form}>
          <p>Copy this address into the sender now: it posts its alerts there. It is not shown again.</p>
          <CopyText label="Address" text={hookUrl} />
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : (
        <DialogForm
          action={source ? 'Save' : 'Add'}
          isDisabled={write.isPending}
          buttons={
            <>
              {source && (
                <ConfirmButton
                  label="New address"
                  question="End the present address"
                  onConfirm={() => rotate.mutate({ pageId, id: source.id })}
                />
              )}
              {source?.hasSecret && (
                <Button look="quiet" onClick={() => void save({ name, secret: null }).then(onClose, () => {})}>
                  Remove the secret
                </Button>
              )}
            </>
          }
          onSubmit={onSubmit}
          onClose={onClose}
        >
          <TextField
            label="Name"
            hint="What sends the alerts, such as “Prometheus”."
            value={name}
            error={errors.name}
            autoFocus
            onChange={event => setName(event.target.value)}
          />
          <TextField
            label="Secret (optional)"
            hint={
              source?.hasSecret
                ? 'One is stored. Empty: it stays.'
                : 'Of 16 characters or more. With it, requests that the sender has not signed are refused.'
            }
            type="password"
            autoComplete="off"
            value={secret}
            error={errors.secret}
            onChange={event => setSecret(event.target.value)}
          />
          <WriteError error={write.error ?? rotate.error} />
          <FormError>{others}</FormError>
        </DialogForm>
      )}
    </Dialog>
  );
}
