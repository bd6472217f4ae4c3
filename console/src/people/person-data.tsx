import { useState } from 'react';
import { ErasePersonDataDocument, ExportPersonDataDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { TextField } from '../ui/field.tsx';
import { saveFile } from '../ui/files.ts';
import styles from '../ui/list.module.css';

/** Exports or erases what is stored of the person with an address, on all pages. */
export function PersonData({ onClose }: { onClose: () => void }) {
  const [address, setAddress] = useState('');
  const exported = useUnrepeatedWrite(ExportPersonDataDocument);
  const erased = useUnrepeatedWrite(ErasePersonDataDocument);
  const onExport = async () => {
    const { result } = await exported.mutateAsync({ address });
    saveFile('person.json', 'application/json', result?.json ?? '');
  };
  const receipt = erased.data?.result;
  return (
    <Dialog title="Data of a person" onClose={onClose}>
      {receipt ? (
        <div role="status" className={styles.form}>
          <p>{receipt.erased?.length ? `Erased of ${address}:` : `Nothing is stored of ${address}.`}</p>
          <Counts of={receipt.erased ?? []} />
          {Boolean(receipt.remaining?.length) && (
            <>
              <p>The address is still in texts or settings that operators wrote. Change them:</p>
              <Counts of={receipt.remaining ?? []} />
            </>
          )}
          <Button onClick={onClose}>Close</Button>
        </div>
      ) : (
        <DialogForm
          action="Export"
          isDisabled={exported.isPending || !address.trim()}
          buttons={
            Boolean(address.trim()) && (
              <ConfirmButton
                label="Erase"
                question={`Erase all data of ${address}`}
                onConfirm={() => erased.mutate({ address })}
              />
            )
          }
          onSubmit={onExport}
          onClose={onClose}
        >
          <p>
            Subscriptions, messages, codes, an account, and what the audit log has of the person with this address, on
            all pages.
          </p>
          <TextField
            label="E-mail or phone number"
            value={address}
            autoFocus
            onChange={event => setAddress(event.target.value)}
          />
          <WriteError error={exported.error ?? erased.error} />
        </DialogForm>
      )}
    </Dialog>
  );
}

const Counts = ({ of: counts }: { of: readonly { kind: string; count: number }[] }) => (
  <ul>
    {counts.map(({ kind, count }) => (
      <li key={kind}>
        {kind}: {count}
      </li>
    ))}
  </ul>
);
