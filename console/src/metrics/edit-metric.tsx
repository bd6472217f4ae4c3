import { useState } from 'react';
import {
  CreateMetricDocument,
  DeleteMetricDocument,
  type MetricsQuery,
  UpdateMetricDocument,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { ColourField } from '../appearance/colour-field.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { Checkbox, FormError, Select, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';

export type Metric = NonNullable<MetricsQuery['metrics']>['nodes'][number];

interface Props {
  pageId: string;
  /** Undefined: a new one. */
  metric: Metric | undefined;
  onClose: () => void;
}

const newMetric = { name: '', unit: '', color: '#3b82f6', decimalPlaces: 0, isShown: true };

/** How many decimal places its values can be shown with. */
const decimalPlaces = [0, 1, 2, 3, 4, 5];

export function EditMetric({ pageId, metric, onClose }: Props) {
  const { name, unit, color, decimalPlaces: places, isShown } = metric ?? newMetric;
  const [form, setForm] = useState({ name, unit: unit ?? '', color, decimalPlaces: places, isShown });
  const create = useWrite(CreateMetricDocument);
  const update = useWrite(UpdateMetricDocument);
  const remove = useWrite(DeleteMetricDocument);
  const write = metric ? update : create;
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['name', 'unit', 'decimalPlaces', 'color']);
  const onSubmit = async () => {
    const { result } = metric
      ? await update.mutateAsync({ id: metric.id, ifVersion: metric.version, input: form })
      : await create.mutateAsync({ pageId, input: form });
    if (!result?.userErrors.length) onClose();
  };
  const onDelete = () => void remove.mutateAsync({ id: metric!.id }).then(onClose, () => {});
  const title = metric ? 'Edit the metric' : 'Add a metric';
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        action={metric ? 'Save' : 'Add'}
        isDisabled={write.isPending}
        buttons={
          metric && (
            <ConfirmButton label="Delete" question={`Delete ${metric.name} with its values`} onConfirm={onDelete} />
          )
        }
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <TextField
          label="Name"
          hint="What customers read, such as “Response time”."
          value={form.name}
          error={errors.name}
          autoFocus
          onChange={event => setForm({ ...form, name: event.target.value })}
        />
        <TextField
          label="Unit (optional)"
          hint="Written after each value, such as “ms”."
          value={form.unit}
          error={errors.unit}
          onChange={event => setForm({ ...form, unit: event.target.value })}
        />
        <Select
          label="Decimal places"
          value={form.decimalPlaces}
          error={errors.decimalPlaces}
          onChange={event => setForm({ ...form, decimalPlaces: Number(event.target.value) })}
        >
          {decimalPlaces.map(count => (
            <option key={count}>{count}</option>
          ))}
        </Select>
        <ColourField
          label="Colour of the line"
          value={form.color}
          error={errors.color}
          onChange={value => setForm({ ...form, color: value })}
        />
        <Checkbox
          label="Shown on the page"
          hint="Values are recorded either way."
          checked={form.isShown}
          onChange={event => setForm({ ...form, isShown: event.target.checked })}
        />
        <WriteError error={write.error ?? remove.error} />
        <FormError>{others}</FormError>
      </DialogForm>
    </Dialog>
  );
}
