import type { Reminder } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { formatDuration } from '../api/times.ts';
import { Checkbox, Options, Select } from '../ui/field.tsx';
import type { FieldErrors } from '../ui/field-errors.ts';
import { TimeField } from '../ui/time-field.tsx';
import type { Previewed } from '../publishing/use-preview.ts';
import { Warnings, windowWarnings } from '../publishing/warnings.tsx';
import { FurtherWindows } from '../recurrence/further-windows.tsx';
import { RepeatsField } from '../recurrence/repeats-field.tsx';
import { Zones } from './zones.tsx';
import type { Draft } from './kinds.ts';
import styles from './compose.module.css';

const reminders: Record<Reminder, string> = {
  NONE: 'None',
  ONE_HOUR: 'One hour before',
  ONE_DAY: 'One day before',
  THREE_DAYS: 'Three days before',
};

interface Props {
  draft: Draft;
  previews: Previewed[];
  errors: FieldErrors;
  onChange: (fields: Partial<Draft>) => void;
}

/** From when to when, in the zone of this browser, with the same in that of the page and in UTC. */
export function WindowFields({ draft, previews, errors, onChange }: Props) {
  const { pages } = useSession();
  const page = pages.find(({ id }) => id === draft.pageId);
  const duration = Date.parse(draft.endsAt) - Date.parse(draft.beginsAt);
  /** A later begin moves the end: the length stays. */
  const setBegin = (beginsAt: string) => {
    const moved = { beginsAt, endsAt: new Date(Date.parse(beginsAt) + Math.max(0, duration)).toISOString() };
    onChange(moved);
  };
  return (
    <div className={styles.window}>
      <div className={styles.pair}>
        <TimeField label="Begins" error={errors.beginsAt} value={draft.beginsAt} onChange={setBegin} />
        <TimeField label="Ends" error={errors.endsAt} value={draft.endsAt} onChange={endsAt => onChange({ endsAt })} />
      </div>
      <Zones beginsAt={draft.beginsAt} endsAt={draft.endsAt} pageZone={page} />
      <Warnings previews={previews} only={windowWarnings} />
      {duration > 0 && <p className={styles.length}>Takes {formatDuration(duration)}.</p>}
      <FurtherWindows
        windows={draft.repeats.windows}
        first={draft}
        onChange={windows => onChange({ repeats: { ...draft.repeats, windows } })}
      />
      <RepeatsField
        pageId={draft.pageId}
        repeats={draft.repeats}
        error={errors.recurrence}
        beginsAt={draft.beginsAt}
        endsAt={draft.endsAt}
        onChange={repeats => onChange({ repeats })}
      />
      <Checkbox
        label="Begin and complete automatically at these times"
        hint="If you turn this off, someone must begin and complete it by hand."
        checked={draft.isAutomatic}
        onChange={event => onChange({ isAutomatic: event.target.checked })}
      />
      <Select
        label="Reminder"
        value={draft.reminder}
        onChange={event => onChange({ reminder: event.target.value as Reminder })}
      >
        <Options of={Object.entries(reminders)} />
      </Select>
    </div>
  );
}
