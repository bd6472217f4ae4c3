import type { FieldErrors } from '../ui/field-errors.ts';
import { TimeField } from '../ui/time-field.tsx';
import { FurtherWindows } from './further-windows.tsx';
import { type Repeats, type Window } from './repeats.ts';
import { RepeatsField } from './repeats-field.tsx';

interface Props {
  pageId: string;
  form: Window & { repeats: Repeats };
  errors: FieldErrors;
  rule: string | null;
  set: (changes: Partial<Window & { repeats: Repeats }>) => void;
}

/** The fields that say what was refused. */
export const shownTimes = ['beginsAt', 'endsAt', 'windows', 'rule'];

/** When the first one that is changed begins and ends, the windows after it, and how it repeats from there. */
export const SeriesTimes = ({ pageId, form, errors, rule, set }: Props) => (
  <>
    <TimeField
      label="First one begins (your time)"
      value={form.beginsAt}
      error={errors.beginsAt}
      onChange={beginsAt => {
        const length = Date.parse(form.endsAt) - Date.parse(form.beginsAt);
        set({ beginsAt, endsAt: new Date(Date.parse(beginsAt) + Math.max(0, length)).toISOString() });
      }}
    />
    <TimeField label="And ends" value={form.endsAt} error={errors.endsAt} onChange={endsAt => set({ endsAt })} />
    <FurtherWindows
      windows={form.repeats.windows}
      first={form}
      error={errors.windows}
      onChange={windows => set({ repeats: { ...form.repeats, windows } })}
    />
    <RepeatsField
      pageId={pageId}
      repeats={form.repeats}
      beginsAt={form.beginsAt}
      endsAt={form.endsAt}
      error={errors.rule}
      mayBeNever={rule === null}
      onChange={repeats => set({ repeats })}
    />
  </>
);
