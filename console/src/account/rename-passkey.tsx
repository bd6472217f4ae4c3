import { useState } from 'react';
import { RenamePasskeyDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { TextField } from '../ui/field.tsx';

interface Props {
  passkey: { id: string; name: string };
  onClose: () => void;
}

export function RenamePasskey({ passkey: { id, name: stored }, onClose }: Props) {
  const [name, setName] = useState(stored);
  const rename = useWrite(RenamePasskeyDocument);
  const [refused] = rename.data?.result?.userErrors ?? [];
  const onSubmit = async () => {
    const { result } = await rename.mutateAsync({ id, name });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Rename the passkey" onClose={onClose}>
      <DialogForm action="Rename" isDisabled={rename.isPending} onSubmit={onSubmit} onClose={onClose}>
        <TextField
          label="Name"
          value={name}
          autoFocus
          error={rename.error?.message ?? refused?.message.replaceAll('`', '')}
          onChange={event => setName(event.target.value)}
        />
      </DialogForm>
    </Dialog>
  );
}
