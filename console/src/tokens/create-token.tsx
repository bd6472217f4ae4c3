import { type FormEvent, useState } from 'react';
import { CreateTokenDocument, type Role } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Select, TextField } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';

const roles: Role[] = ['VIEWER', 'DRAFTER', 'PUBLISHER', 'OWNER'];

/** The secret is shown once, and cannot be read again. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const mayAll = session.has('OWNER');
  const pages = session.pagesWith('OWNER');
  const [form, setForm] = useState({ label: '', role: 'PUBLISHER' as Role, pageId: mayAll ? '' : pages[0]!.id });
  const write = useUnrepeatedWrite(CreateTokenDocument);
  const result = write.data?.result;
  const errors = toFieldErrors(result?.userErrors ?? []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const { label, role, pageId } = form;
    write.mutate({ input: { label, role, ...(pageId && { pageIds: [pageId] }) } });
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
            value={form.label}
            error={errors.label}
            autoFocus
            onChange={event => setForm({ ...form, label: event.target.value })}
          />
          <Select
            label="Role"
            value={form.role}
            onChange={event => setForm({ ...form, role: event.target.value as Role })}
          >
            {roles.map(role => (
              <option key={role} value={role}>
                {role.toLowerCase()}
              </option>
            ))}
          </Select>
          <Select label="On" value={form.pageId} onChange={event => setForm({ ...form, pageId: event.target.value })}>
            {mayAll && <option value="">All pages</option>}
            {pages.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <FormError>{write.error?.message ?? errors['']}</FormError>
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
