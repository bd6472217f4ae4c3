import { Checkbox, Options, Select, TextField } from '../ui/field.tsx';
import type { groups } from './fields.ts';
import { TimezoneField } from '../first-run/timezone-field.tsx';

interface Props {
  field: (typeof groups)[number]['fields'][number];
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

/** A setting by its kind: a switch, a choice, a number or a text, whose empty value clears it. */
export function SettingField({ field: { label, hint, kind }, value, error, onChange }: Props) {
  if (kind === 'switch')
    return <Checkbox label={label} checked={value === true} onChange={event => onChange(event.target.checked)} />;
  if (kind === 'zone') return <TimezoneField value={String(value)} error={error} onChange={onChange} />;
  if (typeof kind === 'object')
    return (
      <Select label={label} error={error} value={String(value)} onChange={event => onChange(event.target.value)}>
        <Options of={Object.entries(kind)} />
      </Select>
    );
  const toValue = (text: string) => (kind === 'number' && text ? Number(text) : text || null);
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      type={kind}
      value={value == null ? '' : String(value)}
      onChange={event => onChange(toValue(event.target.value))}
    />
  );
}
