import { type FormEvent, useState } from 'react';
import { CreateTokenDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { GrantFields, useProposedGrant } from '../people/grant-fields.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';

/** The secret is shown once, and cannot be read again. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [grant, setGrant] = useState(useProposedGrant());
  const write = useUnrepeatedWrite(CreateTokenDocument);
  const result = write.data?.result;
  const errors = toFieldErrors(result?.userErrors ?? []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate({ input: { label, ...grant } });
  };
  return (
    <Dialog title="Create a token" onClose={onClose}>
      <h2>Create a token</h2>
      {result?.secret ? (
        <div role="status" className={styles.form}>
          <p>This is the token. It is shown only now, and expires in 90 days:</p>
          <pre className={styles.secret}>{result.secret}</pre>
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : (
        <form className={styles.form} onSubmit={onSubmit}>
          <TextField
            label="Label"
            hint="What uses it, such as “Deploys”."
            value={label}
            error={errors.label}
            autoFocus
            onChange={event => setLabel(event.target.value)}
          />
          <GrantFields grant={grant} errors={errors} onChange={setGrant} />
          <WriteError error={write.error} />
          <FormError>{errors['']}</FormError>
          <div className={styles.buttons}>
            <Button type="submit" look="primary" disabled={write.isPending}>
              Create
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
