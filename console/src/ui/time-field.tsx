import { TextField } from './field.tsx';

/** What a field `datetime-local` has, in the zone of the browser, as a time with its offset. */
const fromLocal = (value: string): string => new Date(value).toISOString();

/** As `datetime-local` wants it: in the zone of the browser, without it. */
function toLocal(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface Props {
  label: string;
  error?: string;
  value: string;
  /** Not called while the field is incomplete. */
  onChange: (time: string) => void;
}

/**
 * A time in the zone of the browser. The longest year has four digits: browsers offer six, which are no valid times.
 */
export const TimeField = ({ value, onChange, ...others }: Props) => (
  <TextField
    {...others}
    type="datetime-local"
    max="9999-12-31T23:59"
    value={toLocal(value)}
    onChange={({ target }) => target.value && onChange(fromLocal(target.value))}
  />
);
