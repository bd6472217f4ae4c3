import { useState } from 'react';
import {
  ClearComponentStatusesDocument,
  type ComponentStatus,
  SetComponentStatusesDocument,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { StateLabel } from '../ui/state-label.tsx';
import type { TreeNode } from './tree.ts';

/** The statuses that a person can set. */
const inSentence: Partial<Record<ComponentStatus, string>> = {
  OPERATIONAL: 'operational',
  DEGRADED: 'degraded',
  PARTIAL_OUTAGE: 'a partial outage',
  MAJOR_OUTAGE: 'a major outage',
  MAINTENANCE: 'under maintenance',
};
const statuses = Object.keys(inSentence) as ComponentStatus[];

interface Props {
  pageId: string;
  nodes: TreeNode[];
  onDone: () => void;
  onClose: () => void;
}

/** Sets the status of components without a notice, or lets it follow from notices again. */
export function SetStatus({ pageId, nodes, onDone, onClose }: Props) {
  const manual = nodes.find(node => node.manualStatus)?.manualStatus;
  const [form, setForm] = useState({ status: manual?.status ?? null, note: manual?.note ?? '' });
  const [isMissing, setMissing] = useState(false);
  const set = useWrite(SetComponentStatusesDocument);
  const clear = useWrite(ClearComponentStatusesDocument);
  const { errors, others } = toFormErrors(set.data?.result?.userErrors ?? clear.data?.result?.userErrors, ['note']);
  const isPending = set.isPending || clear.isPending;
  const what = nodes.length === 1 ? nodes[0]!.name : `${nodes.length} components`;
  const title = `Set the status of ${what}`;
  const ids = nodes.map(({ id }) => id);
  const onSubmit = async () => {
    const { status, note } = form;
    if (!status) return setMissing(true);
    const { result } = await set.mutateAsync({ pageId, ids, input: { status, note } });
    if (!result?.userErrors.length) onDone();
  };
  const onClear = async () => {
    const { result } = await clear.mutateAsync({ pageId, ids });
    if (!result?.userErrors.length) onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>The page shows this status at once, whatever notices say, until you clear it. Nobody is notified.</p>
      <DialogForm
        action={form.status ? `Show ${what} as ${inSentence[form.status]}` : 'Set the status'}
        isDisabled={isPending}
        buttons={
          manual && (
            <Button disabled={isPending} onClick={() => void onClear().catch(() => {})}>
              Clear it: follow notices
            </Button>
          )
        }
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <Chips
          legend="Status"
          values={statuses}
          chosen={form.status}
          describe={status => <StateLabel state={status} />}
          onChoose={status => setForm({ ...form, status })}
        />
        {isMissing && !form.status && <FormError>Choose a status.</FormError>}
        <TextField
          label="Note"
          hint="Optional. The page shows it beside the component."
          value={form.note}
          error={errors.note}
          maxLength={255}
          onChange={event => setForm({ ...form, note: event.target.value })}
        />
        <FormError>{set.error?.message ?? clear.error?.message ?? others}</FormError>
      </DialogForm>
    </Dialog>
  );
}
