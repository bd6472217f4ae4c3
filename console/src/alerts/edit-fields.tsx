import { useState } from 'react';
import type { AlertFieldsInput } from '../api/documents.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import type { UserError } from '../ui/field-errors.ts';
import { FormError, Select, TextArea, TextField } from '../ui/field.tsx';
import styles from '../ui/list.module.css';
import { fieldTemplates } from './field-templates.ts';
import { type FieldsForm, toFieldsForm, toFieldsInput } from './fields-form.ts';
import { Trial, type TrialProps } from './trial.tsx';

interface Props extends Omit<TrialProps, 'fields'> {
  fields: AlertFieldsInput | null;
  save: (fields: AlertFieldsInput | null) => Promise<{ result?: { userErrors: UserError[] } | null }>;
  onClose: () => void;
}

/** Each field of the form, in its order. */
const labels: Record<keyof FieldsForm, [label: string, hint: string]> = {
  title: ['Title', 'A path such as $.alert.name. Required.'],
  alerts: ['List of alerts', 'Such as $.alerts[*], where a request has several. @ then begins a path of one alert.'],
  text: ['Text', ''],
  state: ['State', 'What says whether it fires. Empty: each alert fires.'],
  firingStates: ['States that fire', 'Separated by commas. Empty: all but those that are over.'],
  resolvedStates: ['States that are over', 'Separated by commas.'],
  key: ['Key', 'Equal for the same trouble, also when it is over. Empty: title and service.'],
  group: ['Group', 'Alerts with one group make one draft. Empty: the key.'],
  service: ['Service', 'What rules compare.'],
  startsAt: ['Beginning', 'ISO 8601, or seconds or milliseconds since 1970.'],
  labels: ['Labels', 'One a line, such as severity = $.alert.severity.'],
};
const names = Object.keys(labels) as (keyof FieldsForm)[];

/** Where the requests of a source have what an alert needs. */
export function EditFields({ fields, save, onClose, ...trial }: Props) {
  const [form, setForm] = useState(() => toFieldsForm(fields));
  const [errors, setErrors] = useState<UserError[]>([]);
  const write = async (changed: AlertFieldsInput | null) => {
    try {
      const { result } = await save(changed);
      if (result?.userErrors.length) setErrors(result.userErrors);
      else onClose();
    } catch (failure) {
      setErrors([{ path: [], message: (failure as Error).message }]);
    }
  };
  const onSubmit = () => {
    void write(toFieldsInput(form));
  };
  const findErrors = (name: string | undefined) =>
    errors
      .filter(({ path }) => path[2] === name)
      .map(({ message }) => message.replaceAll('`', ''))
      .join(' ') || undefined;
  return (
    <Dialog title="Field paths" onClose={onClose}>
      <p className={styles.quiet}>
        For senders whose format is not known here. A path is JSONPath; $ is the body of the request.
      </p>
      <DialogForm
        action="Save"
        buttons={
          fields && (
            <Button look="danger" onClick={() => void write(null)}>
              Remove the paths
            </Button>
          )
        }
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <Select
          label="Start from"
          value=""
          onChange={event => setForm(toFieldsForm(fieldTemplates[event.target.value] ?? null))}
        >
          <option value="">Choose a sender</option>
          {Object.keys(fieldTemplates).map(name => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        {names.map(name => {
          const Input = name === 'labels' ? TextArea : TextField;
          const [label, hint] = labels[name];
          return (
            <Input
              key={name}
              label={label}
              hint={hint}
              value={form[name]}
              error={findErrors(name)}
              onChange={({ target }: { target: { value: string } }) => setForm({ ...form, [name]: target.value })}
            />
          );
        })}
        <FormError>{findErrors(undefined)}</FormError>
      </DialogForm>
      <Trial {...trial} fields={toFieldsInput(form)} />
    </Dialog>
  );
}
