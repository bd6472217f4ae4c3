import styles from '../ui/chips.module.css';
import { dayNames, findWeekday, type Repeats, type Weekday, weekdays } from './repeats.ts';

interface Props {
  repeats: Repeats;
  beginsAt: string;
  onChange: (weekdays: Weekday[]) => void;
}

/** The days of a week. That of the first window is one of them, in the zone of the rule. */
export function WeekdayChips({ repeats, beginsAt, onChange }: Props) {
  const first = findWeekday(beginsAt, repeats.zone).day;
  const isChosen = (day: Weekday) => day === first || repeats.weekdays.includes(day);
  const toggle = (day: Weekday) => onChange(weekdays.filter(each => (each === day ? !isChosen(each) : isChosen(each))));
  return (
    <fieldset className={styles.chips}>
      <legend>On</legend>
      {weekdays.map(day => (
        <label key={day}>
          <input
            type="checkbox"
            aria-label={dayNames[day]}
            checked={isChosen(day)}
            disabled={day === first}
            onChange={() => toggle(day)}
          />
          <span>{dayNames[day].slice(0, 3)}</span>
        </label>
      ))}
    </fieldset>
  );
}
