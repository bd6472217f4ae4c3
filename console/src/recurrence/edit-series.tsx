import { useState } from 'react';
import {
  RecurrencesDocument,
  type RecurrencesQuery,
  UpcomingOccurrencesDocument,
  type UpcomingOccurrencesQuery,
  UpdateRecurrenceDocument,
} from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { ContentArea } from '../images/content-area.tsx';
import { ScreenBoundary } from '../layout/screen.tsx';
import { Checkbox, TextField } from '../ui/field.tsx';
import { PublishingForm, usePublishing } from './publishing-dialog.tsx';
import { fromRecurrence, toRecurrence } from './repeats.ts';
import { SeriesTimes, shownTimes } from './series-times.tsx';

export type Occurrence = NonNullable<
  NonNullable<UpcomingOccurrencesQuery['upcomingOccurrences']>['occurrences']
>[number];

export type Series = NonNullable<RecurrencesQuery['recurrences']>['nodes'][number];

interface Props {
  pageId: string;
  id: string;
  /** The notice of the first occurrence that is changed. Absent: all that are to come. */
  noticeId?: string;
  onClose: () => void;
}

/** Changes one occurrence and all later ones, or all. Sends what was changed: a new rule moves planned notices. */
export function EditSeries({ pageId, id, noticeId, onClose }: Props) {
  const recurrence = useRead(RecurrencesDocument, { pageId }).recurrences?.nodes.find(each => each.id === id);
  const { upcomingOccurrences } = useRead(UpcomingOccurrencesDocument, { pageId, id });
  const occurrences = upcomingOccurrences?.occurrences ?? [];
  const from = occurrences.find(each => each.noticeId === noticeId) ?? occurrences[0];
  if (!recurrence || !from) return <p>Loading …</p>;
  return <Form pageId={pageId} recurrence={recurrence} from={from} onClose={onClose} />;
}

interface FormProps {
  pageId: string;
  recurrence: Series;
  from: Occurrence;
  onClose: () => void;
}

function Form({ pageId, recurrence, from: first, onClose }: FormProps) {
  const { id, version, subject, content, componentIds, rule, timezone, onMissingHour } = recurrence;
  const from = first.occursAt;
  const { windows } = recurrence;
  const further = windows.find(({ beginsAt }) => beginsAt === from);
  // Follows what others change, so that what is sent with its version is what was on the screen.
  const toOriginal = () => {
    const duration = Date.parse(recurrence.endsAt) - Date.parse(recurrence.beginsAt);
    const window = further ?? { beginsAt: from, endsAt: new Date(Date.parse(from) + duration).toISOString() };
    const later = windows.filter(({ beginsAt }) => beginsAt > from);
    const repeats = fromRecurrence({ rule, timezone, windows: later, onMissingHour });
    return { subject, content: content ?? '', componentIds, repeats, ...window };
  };
  const original = toOriginal();
  const [edits, setEdits] = useState<Partial<typeof original & { shouldPublishLater: boolean }>>({});
  const form = { ...original, shouldPublishLater: recurrence.shouldPublish, ...edits };
  const set = (changes: typeof edits) => setEdits({ ...edits, ...changes });
  const isChanged = (...names: (keyof typeof original)[]) =>
    names.some(name => JSON.stringify(form[name]) !== JSON.stringify(original[name]));
  const { beginsAt, endsAt } = form;
  const isMoved = isChanged('repeats', 'beginsAt', 'endsAt');
  const changes = {
    ...(isChanged('subject') && { subject: form.subject }),
    ...(isChanged('content') && { content: form.content }),
    ...(isChanged('componentIds') && { componentIds: form.componentIds }),
    ...(isMoved && { beginsAt, endsAt }),
  };
  const toInput = (shouldPublish: boolean) => {
    const { repeats, shouldPublishLater } = form;
    const schedule = isMoved && { ...toRecurrence(repeats, beginsAt), windows: repeats.windows };
    return { fromOccurrence: from, shouldPublish, shouldPublishLater, ...changes, ...schedule };
  };
  // The message of the first notice announces the change of all. Without one there is nothing to announce yet.
  const publishing = usePublishing(
    `series ${id} ${from}`,
    { pageId, onClose },
    first.noticeId ? { pageId, recurrenceId: id, input: toInput(true) } : undefined,
  );
  const publish = (shouldPublish: boolean) => {
    const previewHash = publishing.toHash(shouldPublish);
    const variables = { pageId, id, ifVersion: version, input: toInput(shouldPublish), previewHash };
    publishing.outbox.send(UpdateRecurrenceDocument, variables, publishing.toSent(shouldPublish));
  };
  const { errors } = publishing.outbox;
  const isOutsideRule = Boolean(further) && rule !== null;
  const shownFields = ['subject', 'content', 'componentIds', ...(isOutsideRule ? [] : shownTimes)];
  return (
    <PublishingForm pageId={pageId} onClose={onClose} {...publishing} publish={publish} shownFields={shownFields}>
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
      {isOutsideRule ? (
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
        label="Notify subscribers of later dates"
        hint="Each date has a message of its own when it becomes a notice."
        checked={form.shouldPublishLater}
        onChange={event => set({ shouldPublishLater: event.target.checked })}
      />
    </PublishingForm>
  );
}
