import { useState } from 'react';
import { CreateTokenDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { GrantFields, useProposedGrant } from '../people/grant-fields.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, Select, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';

const dayMs = 86_400_000;

/** The secret is shown once, and cannot be read again. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [grant, setGrant] = useState(useProposedGrant());
  const [days, setDays] = useState<number | null>(90);
  const write = useUnrepeatedWrite(CreateTokenDocument);
  const result = write.data?.result;
  const { errors, others } = toFormErrors(result?.userErrors, ['label', 'role', 'pageIds', 'expiresAt']);
  const onSubmit = () => {
    const expiresAt = days === null ? null : new Date(Date.now() + days * dayMs).toISOString();
    write.mutate({ input: { label, expiresAt, ...grant } });
  };
  return (
    <Dialog title="Create a token" onClose={onClose}>
      {result?.secret ? (
        <div role="status" className={styles.form}>
          <p>
            Copy this token now. It is not shown again, and it {days ? `expires in ${days} days` : 'never expires'}:
          </p>
          <CopyText label="Token" text={result.secret} />
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : (
        <DialogForm action="Create" isDisabled={write.isPending} onSubmit={onSubmit} onClose={onClose}>
          <TextField
            label="Label"
            hint="What the token is for, such as “Deploys”."
            value={label}
            error={errors.label}
            autoFocus
            onChange={event => setLabel(event.target.value)}
          />
          <GrantFields grant={grant} errors={errors} onChange={setGrant} />
          <Select
            label="Expires"
            value={days ?? ''}
            error={errors.expiresAt}
            onChange={event => setDays(event.target.value ? Number(event.target.value) : null)}
          >
            {[7, 30, 90, 365].map(count => (
              <option key={count} value={count}>{`In ${count} days`}</option>
            ))}
            <option value="">Never</option>
          </Select>
          <WriteError error={write.error} />
          <FormError>{others}</FormError>
        </DialogForm>
      )}
    </Dialog>
  );
}
