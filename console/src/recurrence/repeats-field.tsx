import { useSession } from '../api/session.ts';
import { useZones } from '../first-run/timezone-field.tsx';
import { Options, Select, TextField } from '../ui/field.tsx';
import { NextOccurrences } from './next-occurrences.tsx';
import { describeChoice, type Repeats, toRule } from './repeats.ts';
import { WeekdayChips } from './weekday-chips.tsx';
import styles from './recurrence.module.css';

interface Props {
  pageId: string;
  repeats: Repeats;
  beginsAt: string;
  endsAt: string;
  error: string | undefined;
  /** One that repeats can be ended, and is not made to repeat never. */
  mayBeNever?: boolean;
  onChange: (repeats: Repeats) => void;
}

const choices = ['never', 'weekly', 'monthly', 'monthday', 'custom'] as const;
const ends = { never: 'Never', date: 'On a date', count: 'After a number of times' };

/** How a maintenance repeats, with what the service makes of it. */
export function RepeatsField({ pageId, repeats, beginsAt, endsAt, error, mayBeNever = true, onChange }: Props) {
  const { pages } = useSession();
  const zones = useZones();
  const pageZone = pages.find(({ id }) => id === pageId)?.timezone;
  const { choice, zone, end } = repeats;
  const set = (changes: Partial<Repeats>) => onChange({ ...repeats, ...changes });
  const own = zone || (pageZone ?? 'UTC');
  const choose = (next: Repeats['choice']) => {
    set({ choice: next, zone: own, ...(next === 'custom' && { rule: toRule({ ...repeats, zone: own }, beginsAt) }) });
  };
  return (
    <>
      <Select
        label="Repeats"
        disabled={!zones.length}
        value={choice}
        error={choice === 'custom' ? undefined : error}
        onChange={event => choose(event.target.value as Repeats['choice'])}
      >
        <Options
          of={choices
            .filter(each => mayBeNever || each !== 'never')
            .map(each => [each, describeChoice(each, beginsAt, own)])}
        />
      </Select>
      {choice !== 'never' && (
        <div className={styles.repeats}>
          {choice === 'custom' && (
            <TextField
              label="Rule"
              hint="An RRULE of RFC 5545 without an end, such as FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH."
              value={repeats.rule}
              error={error}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              onChange={event => set({ rule: event.target.value })}
            />
          )}
          {choice !== 'custom' && (
            <TextField
              label={choice === 'weekly' ? 'Number of weeks' : 'Number of months'}
              hint={choice === 'weekly' ? '2: every second week' : '2: every second month'}
              type="number"
              min={1}
              max={999}
              value={repeats.interval}
              onChange={event => set({ interval: event.target.value })}
            />
          )}
          {choice === 'weekly' && (
            <WeekdayChips repeats={repeats} beginsAt={beginsAt} onChange={weekdays => set({ weekdays })} />
          )}
          <div className={styles.pair}>
            <Select
              label="Stops repeating"
              value={end}
              onChange={event => set({ end: event.target.value as Repeats['end'] })}
            >
              <Options of={Object.entries(ends)} />
            </Select>
            {end === 'date' && (
              <TextField
                label="Last day"
                type="date"
                max="9999-12-31"
                value={repeats.until}
                onChange={event => set({ until: event.target.value })}
              />
            )}
            {end === 'count' && (
              <TextField
                label="Times, the first included"
                type="number"
                min={1}
                max={366}
                value={repeats.count}
                onChange={event => set({ count: event.target.value })}
              />
            )}
          </div>
          <Select
            label="Time zone"
            hint="Every occurrence has the wall time of this zone, in summer and in winter."
            value={zone}
            onChange={event => set({ zone: event.target.value })}
          >
            {!zones.some(({ id }) => id === zone) && <option value={zone}>{zone}</option>}
            {zones.map(({ id, name }) => (
              <option key={name} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <NextOccurrences
            pageId={pageId}
            repeats={repeats}
            beginsAt={beginsAt}
            endsAt={endsAt}
            onChange={missingHour => set({ missingHour })}
          />
        </div>
      )}
    </>
  );
}
