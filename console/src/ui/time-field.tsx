import type { KeyboardEventHandler, ReactNode } from 'react';
import { TextField } from './field.tsx';
import { fromLocalTime, toLocalTime } from './local-time.ts';

interface Props {
  label: string;
  hint?: ReactNode;
  error?: string;
  value: string;
  /** Of IANA. Absent: that of the browser. */
  timeZone?: string;
  /** Not called while the field is incomplete. */
  onChange: (time: string) => void;
  onKeyDown?: KeyboardEventHandler;
}

/**
 * A time in a zone. The longest year has four digits: browsers offer six, which are not valid times.
 */
export const TimeField = ({ value, timeZone, onChange, ...others }: Props) => (
  <TextField
    {...others}
    type="datetime-local"
    max="9999-12-31T23:59"
    value={toLocalTime(value, timeZone)}
    onChange={({ target }) => target.value && onChange(fromLocalTime(target.value, timeZone))}
  />
);
