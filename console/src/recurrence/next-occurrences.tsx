import { NextOccurrencesDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { formatTime, toReadersClock } from '../api/times.ts';
import { Options, Select } from '../ui/field.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { ClockChanges } from './clock-changes.tsx';
import { type Repeats, toRecurrence } from './repeats.ts';
import styles from './recurrence.module.css';

const pauseMs = 300;

const missingHours: Record<Repeats['missingHour'], string> = {
  SKIP: 'Leave out that occurrence',
  LATER: 'Begin as much later as the clock goes forward',
};

interface Props {
  pageId: string;
  repeats: Repeats;
  beginsAt: string;
  endsAt: string;
  onChange: (missingHour: Repeats['missingHour']) => void;
}

/** The rule in words, the first three, and what changes of the clock do to it, computed by the service. */
export function NextOccurrences({ pageId, repeats, beginsAt, endsAt, onChange }: Props) {
  const end = endsAt > beginsAt ? endsAt : null;
  const key = useSettled(JSON.stringify({ input: toRecurrence(repeats, beginsAt), beginsAt, endsAt: end }), pauseMs);
  const { input, ...others } = JSON.parse(key);
  const { data, error } = useLazyRead(
    NextOccurrencesDocument,
    { pageId, input, ...others },
    { isEnabled: Boolean(input) },
  );
  const result = data?.nextOccurrences;
  const refusal = error?.message ?? result?.userErrors?.[0]?.message;
  if (refusal) return <p className={styles.refusal}>{refusal.replaceAll('`', '')}</p>;
  if (!result) return null;
  const changes = result.clockChanges ?? [];
  return (
    <>
      <div className={styles.next} aria-live="polite">
        <p>{toReadersClock(result.description ?? '')}</p>
        <ol aria-label="Next occurrences">
          {result.beginsAt?.map(start => (
            <li key={start}>{formatTime(start, repeats.zone || undefined)}</li>
          ))}
        </ol>
        <p className={styles.hint}>
          If you notify, one message names the next dates. Each later date has its own when it becomes a notice.
        </p>
        <ClockChanges changes={changes} />
      </div>
      {changes.some(({ effect }) => effect !== 'OTHER_END') && (
        <Select
          label="When the clock leaves out that time"
          value={repeats.missingHour}
          onChange={event => onChange(event.target.value as Repeats['missingHour'])}
        >
          <Options of={Object.entries(missingHours)} />
        </Select>
      )}
    </>
  );
}
