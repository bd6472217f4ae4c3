import { useState } from 'react';
import { InvitePersonDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { GrantFields, useProposedGrant } from './grant-fields.tsx';
import styles from '../ui/list.module.css';

export function InvitePerson({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('');
  const [grant, setGrant] = useState(useProposedGrant());
  const write = useUnrepeatedWrite(InvitePersonDocument);
  const result = write.data?.result;
  const { errors, others } = toFormErrors(result?.userErrors, ['email', 'role', 'pageIds']);
  const onSubmit = () => {
    write.mutate({ input: { email, ...grant } });
  };
  const isDone = Boolean(result && !result.userErrors.length);
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      {isDone && (
        <div role="status" className={styles.form}>
          <p>{email} has the role now.</p>
          {result?.link && (
            <>
              <p>Send this link to the person. It works once, within 15 minutes. It is not shown again:</p>
              <CopyText label="Link" text={result.link} />
            </>
          )}
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
      {!isDone && (
        <DialogForm action="Invite" isDisabled={write.isPending} onSubmit={onSubmit} onClose={onClose}>
          <TextField
            label="E-mail"
            type="email"
            value={email}
            error={errors.email}
            autoFocus
            onChange={event => setEmail(event.target.value)}
          />
          <GrantFields grant={grant} errors={errors} onChange={setGrant} />
          <WriteError error={write.error} />
          <FormError>{others}</FormError>
        </DialogForm>
      )}
    </Dialog>
  );
}
