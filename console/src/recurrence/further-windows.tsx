import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { toNextDay } from '../ui/local-time.ts';
import { TimeField } from '../ui/time-field.tsx';
import type { Window } from './repeats.ts';
import styles from './recurrence.module.css';

interface Props {
  windows: Window[];
  /** The first window. */
  first: Window;
  error?: string;
  onChange: (windows: Window[]) => void;
}

const addMs = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

const lengthOf = ({ beginsAt, endsAt }: Window) => Math.max(0, Date.parse(endsAt) - Date.parse(beginsAt));

/** The windows besides the first one and those of the rule; each has its own length. */
export function FurtherWindows({ windows, first, error, onChange }: Props) {
  const add = () => {
    const previous = windows.at(-1) ?? first;
    const beginsAt = toNextDay(previous.beginsAt);
    onChange([...windows, { beginsAt, endsAt: addMs(beginsAt, lengthOf(previous)) }]);
  };
  return (
    <>
      {windows.map((window, index) => {
        const name = `Window ${index + 2}`;
        const set = (changes: Partial<Window>) => onChange(windows.with(index, { ...window, ...changes }));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a window has no id, and two can be the same for a moment.
          <fieldset key={index} className={styles.further} aria-label={name}>
            <div className={styles.pair}>
              <TimeField
                label={`${name} begins`}
                value={window.beginsAt}
                onChange={beginsAt => set({ beginsAt, endsAt: addMs(beginsAt, lengthOf(window)) })}
              />
              <TimeField label={`${name} ends`} value={window.endsAt} onChange={endsAt => set({ endsAt })} />
            </div>
            <Button
              look="quiet"
              aria-label={`Remove window ${index + 2}`}
              onClick={() => onChange(windows.toSpliced(index, 1))}
            >
              Remove
            </Button>
          </fieldset>
        );
      })}
      <FormError>{error}</FormError>
      <div>
        <Button icon="plus" onClick={add}>
          Add another window
        </Button>
      </div>
    </>
  );
}
