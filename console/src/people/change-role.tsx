import { useState } from 'react';
import { type Role, UpdateMembershipDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { RoleField } from './grant-fields.tsx';
import { toError } from './user-error.ts';

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
  const onSubmit = async () => {
    const { result } = await write.mutateAsync({ id, role });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Change the role" heading={title} onClose={onClose}>
      <DialogForm
        action="Save the role"
        isDisabled={role === stored || write.isPending}
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <RoleField role={role} onChange={setRole} />
        <WriteError error={write.error ?? toError(write.data?.result?.userErrors)} />
      </DialogForm>
    </Dialog>
  );
}
