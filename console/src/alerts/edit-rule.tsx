import { Suspense, useState } from 'react';
import type { AlertAction, AlertRuleInput, UpdateAlertSourceMutation } from '../api/documents.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { Checkbox, FormError, Options, Select, TextField } from '../ui/field.tsx';
import { actionNames } from './rules.ts';

interface Props {
  pageId: string;
  rules: AlertRuleInput[];
  /** That of a new one follows those of the others. */
  index: number;
  templates: { id: string; name: string }[];
  save: (rules: AlertRuleInput[]) => Promise<UpdateAlertSourceMutation>;
  onClose: () => void;
}

export function EditRule({ pageId, rules, index, templates, save, onClose }: Props) {
  const rule = rules[index];
  const [form, setForm] = useState({
    label: rule?.label ?? '',
    value: rule?.value ?? '',
    templateId: rule?.templateId ?? '',
    action: rule?.action ?? ('DRAFT' as AlertAction),
    shouldResolve: rule?.shouldResolve ?? false,
    componentIds: rule?.componentIds ?? [],
  });
  const [error, setError] = useState('');
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const write = async (changed: AlertRuleInput[]) => {
    try {
      const { result } = await save(changed);
      const message = result?.userErrors.map(each => each.message.replaceAll('`', '')).join(' ');
      if (message) setError(message);
      else onClose();
    } catch (failure) {
      setError((failure as Error).message);
    }
  };
  const onSubmit = () => {
    const { label, value, templateId, ...others } = form;
    const changed = { ...others, label: label || null, value: value || null, templateId: templateId || null };
    void write(rule ? rules.with(index, changed) : [...rules, changed]);
  };
  const title = rule ? 'Edit the rule' : 'Add a rule';
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        action={rule ? 'Save' : 'Add'}
        buttons={
          rule && (
            <Button look="danger" onClick={() => void write(rules.toSpliced(index, 1))}>
              Delete
            </Button>
          )
        }
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <TextField
          label="Label"
          hint="The label of the alert that is compared. Empty: the service that it is about."
          value={form.label}
          autoFocus
          onChange={event => set({ label: event.target.value })}
        />
        <TextField
          label="Value"
          hint="What it must be; * stands for any characters. Empty: every alert."
          value={form.value}
          onChange={event => set({ value: event.target.value })}
        />
        <Select
          label="What to do"
          value={form.action}
          onChange={event => set({ action: event.target.value as AlertAction })}
        >
          <Options of={Object.entries(actionNames)} />
        </Select>
        {form.action !== 'IGNORE' && (
          <>
            <Select
              label="Template"
              hint={
                form.action === 'PUBLISH'
                  ? 'Required: its words are published, and not those of the alert.'
                  : 'What it leaves open comes from the alert.'
              }
              value={form.templateId}
              onChange={event => set({ templateId: event.target.value })}
            >
              <option value="">None</option>
              <Options of={templates.map(({ id, name }) => [id, name])} />
            </Select>
            <Checkbox
              label="Resolve the notice by itself when the alerts are over"
              hint="Subscribers are notified. Otherwise a draft proposes it."
              checked={form.shouldResolve}
              onChange={event => set({ shouldResolve: event.target.checked })}
            />
            <Suspense fallback={<p>Loading the components …</p>}>
              <ComponentPicker
                pageId={pageId}
                choice={Object.fromEntries(form.componentIds.map(id => [id, 'DEGRADED' as const]))}
                onChange={choice => set({ componentIds: Object.keys(choice) })}
              />
            </Suspense>
          </>
        )}
        <FormError>{error}</FormError>
      </DialogForm>
    </Dialog>
  );
}
