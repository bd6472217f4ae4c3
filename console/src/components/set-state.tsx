import { type FormEvent, useState } from 'react';
import {
  ClearComponentStatesDocument,
  type ManualComponentState,
  SetComponentStatesDocument,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Select, TextField } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { wordOf } from '../ui/state-label.tsx';
import type { TreeNode } from './tree.ts';
import styles from './components.module.css';

const states: ManualComponentState[] = ['OPERATIONAL', 'DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE', 'MAINTENANCE'];

interface Props {
  pageId: string;
  nodes: TreeNode[];
  onDone: () => void;
  onClose: () => void;
}

/** Sets the state of components without a notice, or lets it follow from notices again. */
export function SetState({ pageId, nodes, onDone, onClose }: Props) {
  const manual = nodes.find(node => node.manualState)?.manualState;
  const [form, setForm] = useState({ state: manual?.state ?? 'MAJOR_OUTAGE', note: manual?.note ?? '' });
  const set = useWrite(SetComponentStatesDocument);
  const clear = useWrite(ClearComponentStatesDocument);
  const errors = toFieldErrors(set.data?.result?.userErrors ?? clear.data?.result?.userErrors ?? []);
  const isPending = set.isPending || clear.isPending;
  const title =
    nodes.length === 1 ? `Set the state of ${nodes[0]!.name}` : `Set the state of ${nodes.length} components`;
  const ids = nodes.map(({ id }) => id);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await set.mutateAsync({ pageId, ids, input: form });
    if (!result?.userErrors.length) onDone();
  };
  const onClear = async () => {
    const { result } = await clear.mutateAsync({ pageId, ids });
    if (!result?.userErrors.length) onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <h2>{title}</h2>
      <p>The page shows this state at once, whatever notices say, until you clear it. Nobody is notified.</p>
      <form
        className={styles.form}
        onSubmit={event => void onSubmit(event).catch(() => {})}
        onKeyDown={submitOnShortcut}
      >
        <Select
          label="State"
          value={form.state}
          error={errors.state}
          onChange={event => setForm({ ...form, state: event.target.value as ManualComponentState })}
        >
          {states.map(state => (
            <option key={state} value={state}>
              {wordOf(state)}
            </option>
          ))}
        </Select>
        <TextField
          label="Note"
          hint="Optional. The page shows it beside the component."
          value={form.note}
          error={errors.note}
          maxLength={255}
          onChange={event => setForm({ ...form, note: event.target.value })}
        />
        <FormError>{set.error?.message ?? clear.error?.message ?? errors['']}</FormError>
        <div className={styles.buttons}>
          <Button type="submit" look="primary" disabled={isPending}>
            Set the state
          </Button>
          {manual && (
            <Button disabled={isPending} onClick={() => void onClear().catch(() => {})}>
              Clear it: follow notices
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
