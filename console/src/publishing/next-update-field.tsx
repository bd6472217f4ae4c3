import { formatTime } from '../api/times.ts';
import { Chips } from '../ui/chips.tsx';
import { FormError } from '../ui/field.tsx';
import { TimeField } from '../ui/time-field.tsx';
import { chooseNextUpdate, type NextUpdate } from './next-update.ts';
import styles from './publishing.module.css';

const labels: Record<NextUpdate['choice'], string> = {
  none: 'None',
  '30 min': '30 min',
  '1 h': '1 h',
  '2 h': '2 h',
  time: 'Choose a time',
};

interface Props {
  value: NextUpdate;
  error: string | undefined;
  onChange: (value: NextUpdate) => void;
}

/** By when the next update is due. */
export const NextUpdateField = ({ value: { choice, by }, error, onChange }: Props) => (
  <div className={styles.deadline}>
    <Chips
      legend="Next update by"
      values={Object.keys(labels) as NextUpdate['choice'][]}
      chosen={choice}
      describe={value => labels[value]}
      onChoose={value => onChange(chooseNextUpdate(value))}
    />
    {choice === 'time' && (
      <TimeField label="Time (your time zone)" value={by!} onChange={time => onChange({ choice, by: time })} />
    )}
    {error && <FormError>{error}</FormError>}
    {by && !error && (
      <p className={styles.hint}>
        The page says that the next update comes by {formatTime(by)}, your time. You get a mail if none has come by
        then.
      </p>
    )}
  </div>
);
