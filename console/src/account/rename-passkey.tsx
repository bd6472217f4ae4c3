import { type FormEvent, useState } from 'react';
import { RenamePasskeyDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import styles from '../ui/list.module.css';

interface Props {
  passkey: { id: string; name: string };
  onClose: () => void;
}

export function RenamePasskey({ passkey: { id, name: stored }, onClose }: Props) {
  const [name, setName] = useState(stored);
  const rename = useWrite(RenamePasskeyDocument);
  const [refused] = rename.data?.result?.userErrors ?? [];
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await rename.mutateAsync({ id, name });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Rename the passkey" onClose={onClose}>
      <h2>Rename the passkey</h2>
      <form className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})}>
        <TextField
          label="Name"
          value={name}
          autoFocus
          error={rename.error?.message ?? refused?.message.replaceAll('`', '')}
          onChange={event => setName(event.target.value)}
        />
        <div className={styles.buttons}>
          <Button type="submit" look="primary" disabled={rename.isPending}>
            Rename
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
