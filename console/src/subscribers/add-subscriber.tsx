import { useState } from 'react';
import { AddSubscriberDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';

const fields = [
  ['email', 'E-mail', 'email'],
  ['phoneNumber', 'Phone number, with the country code', 'tel'],
  ['firstName', 'First name', 'text'],
  ['lastName', 'Last name', 'text'],
  ['company', 'Company', 'text'],
] as const;
const fieldNames = fields.map(([name]) => name);

export function AddSubscriber({ pageId, onClose }: { pageId: string; onClose: () => void }) {
  const [form, setForm] = useState<Record<string, string>>({});
  const write = useWrite(AddSubscriberDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, fieldNames);
  const onSubmit = async () => {
    const input = Object.fromEntries(Object.entries(form).filter(([, value]) => value.trim()));
    const { result } = await write.mutateAsync({ pageId, input });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Add a subscriber" onClose={onClose}>
      <p>Only add people who agreed to receive messages. They do not get an e-mail to confirm it.</p>
      <DialogForm action="Add" isDisabled={write.isPending} onSubmit={onSubmit} onClose={onClose}>
        {fields.map(([name, label, type]) => (
          <TextField
            key={name}
            label={label}
            type={type}
            error={errors[name]}
            value={form[name] ?? ''}
            onChange={event => setForm({ ...form, [name]: event.target.value })}
          />
        ))}
        <FormError>{write.error?.message ?? others}</FormError>
      </DialogForm>
    </Dialog>
  );
}
