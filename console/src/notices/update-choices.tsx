import type { NoticeDetailFragment, NoticeState } from '../api/documents.ts';
import { formatTime } from '../api/times.ts';
import { Chips } from '../ui/chips.tsx';
import { Checkbox } from '../ui/field.tsx';
import { wordOf } from '../ui/state-label.tsx';
import { isPartlyResolved, listAffected, type UpdateDraft } from './update-draft.ts';
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
  const affected = listAffected(notice);
  if (draft.state !== 'RESOLVED' || !affected.length) return null;
  const toggle = (id: string) =>
    onChange({
      stillAffected: draft.stillAffected.includes(id)
        ? draft.stillAffected.filter(each => each !== id)
        : [...draft.stillAffected, id],
    });
  return (
    <fieldset className={styles.choices}>
      <legend>Still affected</legend>
      {affected.map(({ component: { id, name } }) => (
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
