import { type FormEvent, useState } from 'react';
import {
  RecurrencesDocument,
  type RecurrencesQuery,
  UpcomingOccurrencesDocument,
  UpdateRecurrenceDocument,
} from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { useZones } from '../first-run/timezone-field.tsx';
import { ContentArea } from '../images/content-area.tsx';
import { ScreenBoundary } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox, FormError, TextField } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import styles from '../ui/list.module.css';
import { fromRecurrence, singleOccurrenceRule, toRecurrence } from './repeats.ts';
import { SeriesTimes } from './series-times.tsx';

export type Series = NonNullable<RecurrencesQuery['recurrences']>['nodes'][number];

interface Props {
  pageId: string;
  id: string;
  /** The notice of the first occurrence that is changed. Absent: all that are to come. */
  noticeId?: string;
  onClose: () => void;
}

/** Changes one occurrence and all later ones, or all. Sends what was changed: a new rule forgets what was skipped. */
export function EditSeries({ pageId, id, noticeId, onClose }: Props) {
  const recurrence = useRead(RecurrencesDocument, { pageId }).recurrences?.nodes.find(each => each.id === id);
  const { upcomingOccurrences } = useRead(UpcomingOccurrencesDocument, { pageId, id });
  const zones = useZones();
  const occurrences = upcomingOccurrences?.occurrences ?? [];
  const from = occurrences.find(each => each.noticeId === noticeId) ?? occurrences[0];
  if (!recurrence || !from || !zones.length) return <p>Loading …</p>;
  const zone = zones.find(({ name }) => name === recurrence.timezone)?.id ?? 'UTC';
  return <Form pageId={pageId} recurrence={recurrence} from={from.occursAt} zone={zone} onClose={onClose} />;
}

interface FormProps {
  pageId: string;
  recurrence: Series;
  from: string;
  zone: string;
  onClose: () => void;
}

function Form({ pageId, recurrence, from, zone, onClose }: FormProps) {
  const { id, version, subject, content, componentIds, rule, onMissingHour, shouldPublish } = recurrence;
  const { windows } = recurrence;
  const further = windows.find(({ beginsAt }) => beginsAt === from);
  const [original] = useState(() => {
    const duration = Date.parse(recurrence.endsAt) - Date.parse(recurrence.beginsAt);
    const window = further ?? { beginsAt: from, endsAt: new Date(Date.parse(from) + duration).toISOString() };
    const later = windows.filter(({ beginsAt }) => beginsAt > from);
    const repeats = fromRecurrence({ rule, timezone: zone, windows: later, onMissingHour });
    return { subject, content: content ?? '', componentIds, repeats, ...window };
  });
  const [form, setForm] = useState({ ...original, shouldPublish });
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const write = useWrite(UpdateRecurrenceDocument);
  const errors = toFieldErrors(write.data?.result?.userErrors ?? []);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const isChanged = (...names: (keyof typeof original)[]) =>
      names.some(name => JSON.stringify(form[name]) !== JSON.stringify(original[name]));
    const { beginsAt, endsAt } = form;
    const input = {
      fromOccurrence: from,
      shouldPublish: form.shouldPublish,
      ...(isChanged('subject') && { subject: form.subject }),
      ...(isChanged('content') && { content: form.content }),
      ...(isChanged('componentIds') && { componentIds: form.componentIds }),
      ...(isChanged('repeats', 'beginsAt', 'endsAt') && {
        ...toRecurrence(form.repeats, beginsAt),
        windows: form.repeats.windows,
        beginsAt,
        endsAt,
      }),
    };
    const { result } = await write.mutateAsync({ pageId, id, ifVersion: version, input });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <form className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})} onKeyDown={submitOnShortcut}>
      <TextField
        label="Subject"
        value={form.subject}
        error={errors.subject}
        onChange={event => set({ subject: event.target.value })}
      />
      <ContentArea
        pageIds={[pageId]}
        value={form.content}
        error={errors.content}
        onChange={value => set({ content: value })}
      />
      {further && rule !== singleOccurrenceRule ? (
        <p>
          This occurrence is an additional window that does not follow the rule. To change the times of the series, edit
          the next occurrence that follows the rule.
        </p>
      ) : (
        <SeriesTimes pageId={pageId} form={form} errors={errors} rule={rule} set={set} />
      )}
      <ScreenBoundary isPart>
        <ComponentPicker
          pageId={pageId}
          choice={Object.fromEntries(form.componentIds.map(each => [each, 'DEGRADED' as const]))}
          error={errors.componentIds}
          onChange={choice => set({ componentIds: Object.keys(choice) })}
        />
      </ScreenBoundary>
      <Checkbox
        label="Notify subscribers"
        hint="Of this change, and of each later occurrence when it is planned."
        checked={form.shouldPublish}
        onChange={event => set({ shouldPublish: event.target.checked })}
      />
      <FormError>{write.error?.message ?? errors['']}</FormError>
      <div className={styles.buttons}>
        <Button type="submit" look="primary" disabled={write.isPending}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
