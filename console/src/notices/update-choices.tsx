import type { NoticeDetailFragment, NoticeState } from '../api/documents.ts';
import { formatTime } from '../api/times.ts';
import { Checkbox, FormError, TextField } from '../ui/field.tsx';
import { fromLocal, toLocal } from '../ui/local-time.ts';
import { wordOf } from '../ui/state-label.tsx';
import { canFollow, chooseNextUpdate, isPartlyResolved, type NextUpdate, type UpdateDraft } from './update-draft.ts';
import styles from './notice.module.css';

interface Props {
  notice: NoticeDetailFragment;
  draft: UpdateDraft;
  onChange: (change: Partial<UpdateDraft>) => void;
}

/** The next state in one tap. */
export const StateChoice = ({ notice, draft, onChange }: Props) => (
  <Chips
    legend="State"
    values={[null, ...notice.nextStates]}
    chosen={draft.state}
    describe={state => (state ? wordOf(state) : `Still ${wordOf(notice.state!).toLowerCase()}`)}
    onChoose={(state: NoticeState | null) => onChange({ state, stillAffected: [], extensionMs: 0 })}
  />
);

/** An incident that is resolved may go on for some components: then it stays open for those. */
export function StillAffected({ notice, draft, onChange }: Props) {
  if (draft.state !== 'RESOLVED' || !notice.affectedComponents.length) return null;
  const toggle = (id: string) =>
    onChange({
      stillAffected: draft.stillAffected.includes(id)
        ? draft.stillAffected.filter(each => each !== id)
        : [...draft.stillAffected, id],
    });
  return (
    <fieldset className={styles.choices}>
      <legend>Still affected</legend>
      {notice.affectedComponents.map(({ component: { id, name } }) => (
        <Checkbox key={id} label={name} checked={draft.stillAffected.includes(id)} onChange={() => toggle(id)} />
      ))}
      <p className={styles.hint}>
        {isPartlyResolved(draft)
          ? 'The incident stays open for these. The others are operational again.'
          : 'None: all of them are operational again, unless another notice affects them.'}
      </p>
    </fieldset>
  );
}

const minuteMs = 60_000;
const extensions: Record<string, number> = {
  'As planned': 0,
  '30 min longer': 30 * minuteMs,
  '1 h longer': 60 * minuteMs,
  '2 h longer': 120 * minuteMs,
};

/** A maintenance in progress takes longer. */
export function Extension({ notice, draft, onChange }: Props) {
  if (notice.__typename !== 'PlannedNotice' || notice.state !== 'UNDERWAY' || draft.state) return null;
  const endsAt = new Date(Date.parse(notice.endsAt) + draft.extensionMs).toISOString();
  return (
    <div className={styles.choices}>
      <Chips
        legend="End"
        values={Object.values(extensions)}
        chosen={draft.extensionMs}
        describe={ms => Object.keys(extensions).find(label => extensions[label] === ms)!}
        onChoose={extensionMs => onChange({ extensionMs })}
      />
      <p className={styles.hint}>Ends {formatTime(endsAt)}, your time.</p>
    </div>
  );
}

const nextUpdates: Record<NextUpdate['choice'], string> = {
  none: 'None',
  '30 min': '30 min',
  '1 h': '1 h',
  '2 h': '2 h',
  time: 'At a time',
};

/** By when the next update is promised. */
export function NextUpdateChoice({ notice, draft, error, onChange }: Props & { error: string | undefined }) {
  if (!canFollow(notice, draft)) return null;
  const { choice, by } = draft.nextUpdate;
  return (
    <div className={styles.choices}>
      <Chips
        legend="Next update by"
        values={Object.keys(nextUpdates) as NextUpdate['choice'][]}
        chosen={choice}
        describe={value => nextUpdates[value]}
        onChoose={value => onChange({ nextUpdate: chooseNextUpdate(value) })}
      />
      {choice === 'time' && (
        <TextField
          label="Time (yours)"
          type="datetime-local"
          value={toLocal(by!)}
          onChange={({ target }) => target.value && onChange({ nextUpdate: { choice, by: fromLocal(target.value) } })}
        />
      )}
      {error && <FormError>{error}</FormError>}
      {by && !error && (
        <p className={styles.hint}>
          The page promises an update by {formatTime(by)}, your time. You get a mail if none has come by then.
        </p>
      )}
    </div>
  );
}

interface ChipsProps<Value> {
  legend: string;
  values: Value[];
  chosen: Value;
  describe: (value: Value) => string;
  onChoose: (value: Value) => void;
}

/** One of a few values, each in one tap. */
const Chips = <Value,>({ legend, values, chosen, describe, onChoose }: ChipsProps<Value>) => (
  <fieldset className={styles.states}>
    <legend>{legend}</legend>
    {values.map(value => (
      <label key={String(value)}>
        <input type="radio" name={legend} checked={value === chosen} onChange={() => onChoose(value)} />
        <span>{describe(value)}</span>
      </label>
    ))}
  </fieldset>
);
