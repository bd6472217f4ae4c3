import { type FormEvent, useState } from 'react';
import { type Role, UpdateMembershipDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { RoleField } from './grant-fields.tsx';
import { toError } from './user-error.ts';
import styles from '../ui/list.module.css';

/** Another role of a person on the same pages. */
export function ChangeRole({
  title,
  membership: { id, role: stored },
  onClose,
}: {
  title: string;
  membership: { id: string; role: Role };
  onClose: () => void;
}) {
  const [role, setRole] = useState(stored);
  const write = useWrite(UpdateMembershipDocument);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await write.mutateAsync({ id, role });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Change the role" onClose={onClose}>
      <h2>{title}</h2>
      <form className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})}>
        <RoleField role={role} onChange={setRole} />
        <WriteError error={write.error ?? toError(write.data?.result?.userErrors)} />
        <div className={styles.buttons}>
          <Button type="submit" look="primary" disabled={role === stored || write.isPending}>
            Save the role
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
