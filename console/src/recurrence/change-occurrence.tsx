import { type FormEvent, useState } from 'react';
import { MoveOccurrenceDocument, SkipOccurrenceDocument, type UpcomingOccurrencesQuery } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Checkbox, FormError } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';
import { TimeField } from '../ui/time-field.tsx';

export type Occurrence = NonNullable<
  NonNullable<UpcomingOccurrencesQuery['upcomingOccurrences']>['occurrences']
>[number];

interface Props {
  pageId: string;
  id: string;
  occurrence: Occurrence;
  onClose: () => void;
}

/** Leaves out one occurrence. Only one that people know of is a piece of news. */
export function SkipOccurrence({ pageId, id, occurrence, onClose }: Props) {
  const { occursAt, beginsAt, noticeId } = occurrence;
  const [shouldPublish, setShouldPublish] = useState(Boolean(noticeId));
  const write = useWrite(SkipOccurrenceDocument);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await write.mutateAsync({ pageId, id, occursAt, shouldPublish });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Skip this occurrence" onClose={onClose}>
      <h2>Skip {formatTime(beginsAt)}</h2>
      <form className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})}>
        <p>
          {noticeId
            ? 'Its notice is cancelled. All others take place.'
            : 'It is never announced. All others take place.'}
        </p>
        {noticeId && (
          <Checkbox
            label="Notify subscribers"
            checked={shouldPublish}
            onChange={event => setShouldPublish(event.target.checked)}
          />
        )}
        <FormError>{write.error?.message ?? write.data?.result?.userErrors[0]?.message}</FormError>
        <div className={styles.buttons}>
          <Button type="submit" look="danger" disabled={write.isPending}>
            Skip it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Gives one occurrence another window. */
export function MoveOccurrence({ pageId, id, occurrence, onClose }: Props) {
  const { occursAt, beginsAt, endsAt, noticeId } = occurrence;
  const [form, setForm] = useState({ beginsAt, endsAt, shouldPublish: true });
  const write = useWrite(MoveOccurrenceDocument);
  const errors = toFieldErrors(write.data?.result?.userErrors ?? []);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await write.mutateAsync({ pageId, id, input: { occursAt, ...form } });
    if (!result?.userErrors.length) onClose();
  };
  const setBegin = (begin: string) => {
    const length = Date.parse(form.endsAt) - Date.parse(form.beginsAt);
    const end = new Date(Date.parse(begin) + Math.max(0, length)).toISOString();
    setForm({ ...form, beginsAt: begin, endsAt: end });
  };
  return (
    <Dialog title="Move this occurrence" onClose={onClose}>
      <h2>Move {formatTime(beginsAt)}</h2>
      <form className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})}>
        {!noticeId && <p>It becomes a notice now, since people do not expect it at another time.</p>}
        <TimeField
          label="Begins"
          value={form.beginsAt}
          error={errors.beginsAt ?? errors.occursAt}
          onChange={setBegin}
        />
        <TimeField
          label="Ends"
          value={form.endsAt}
          error={errors.endsAt}
          onChange={value => setForm({ ...form, endsAt: value })}
        />
        <Checkbox
          label="Notify subscribers"
          checked={form.shouldPublish}
          onChange={event => setForm({ ...form, shouldPublish: event.target.checked })}
        />
        <FormError>{write.error?.message ?? errors['']}</FormError>
        <div className={styles.buttons}>
          <Button type="submit" look="primary" disabled={write.isPending}>
            Move it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
