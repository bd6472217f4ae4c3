import { type FormEvent, useState } from 'react';
import { InvitePersonDocument, type Role } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Select, TextField } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';

export const roleNames: Record<Role, string> = {
  VIEWER: 'Viewer',
  DRAFTER: 'Drafter',
  PUBLISHER: 'Publisher',
  OWNER: 'Owner',
};

const rights: Record<Role, string> = {
  VIEWER: 'reads',
  DRAFTER: 'writes and previews, and does not publish',
  PUBLISHER: 'publishes, and manages subscribers',
  OWNER: 'everything, including settings and people',
};

export function InvitePerson({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const pages = session.pagesWith('OWNER');
  const mayAll = session.has('OWNER');
  const [form, setForm] = useState({ email: '', role: 'PUBLISHER' as Role, pageId: mayAll ? '' : pages[0]!.id });
  const write = useUnrepeatedWrite(InvitePersonDocument);
  const result = write.data?.result;
  const errors = toFieldErrors(result?.userErrors ?? []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const { email, role, pageId } = form;
    write.mutate({ input: { email, role, pageIds: pageId ? [pageId] : null } });
  };
  const isDone = Boolean(result && !result.userErrors.length);
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <h2>Invite somebody</h2>
      {isDone && (
        <div role="status" className={styles.form}>
          <p>{form.email} has the role now.</p>
          {result?.link && (
            <>
              <p>This link signs them in, once, within 15 minutes. It is not shown again:</p>
              <pre className={styles.secret}>{result.link}</pre>
            </>
          )}
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
      {!isDone && (
        <form noValidate className={styles.form} onSubmit={onSubmit}>
          <TextField
            label="E-mail"
            type="email"
            value={form.email}
            error={errors.email}
            autoFocus
            onChange={event => setForm({ ...form, email: event.target.value })}
          />
          <Select
            label="Role"
            value={form.role}
            error={errors.role}
            onChange={event => setForm({ ...form, role: event.target.value as Role })}
          >
            {Object.entries(rights).map(([role, meaning]) => (
              <option key={role} value={role}>
                {roleNames[role as Role]}: {meaning}
              </option>
            ))}
          </Select>
          <Select
            label="On"
            value={form.pageId}
            error={errors.pageIds}
            onChange={event => setForm({ ...form, pageId: event.target.value })}
          >
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
              Invite
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
