import { useState } from 'react';
import { MoveOccurrenceDocument, SkipOccurrenceDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError } from '../ui/field.tsx';
import { TimeField } from '../ui/time-field.tsx';
import type { Occurrence, Series } from './edit-series.tsx';
import { PublishingDialog, usePublishing } from './publishing-dialog.tsx';

interface Props {
  pageId: string;
  series: Series;
  occurrence: Occurrence;
  onClose: () => void;
}

/** Leaves out one occurrence. */
export const SkipOccurrence = (props: Props) =>
  props.occurrence.noticeId ? <CancelNotice {...props} /> : <LeaveOut {...props} />;

/** It is no notice yet, so there is nothing to preview, and nobody is notified. */
function LeaveOut({ pageId, series, occurrence, onClose }: Props) {
  const { occursAt, beginsAt } = occurrence;
  const write = useWrite(SkipOccurrenceDocument);
  const onSubmit = async () => {
    const { result } = await write.mutateAsync({ pageId, id: series.id, occursAt, shouldPublish: false });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title="Skip this occurrence" heading={`Skip ${formatTime(beginsAt)}`} onClose={onClose}>
      <DialogForm action="Skip it" look="danger" isDisabled={write.isPending} onSubmit={onSubmit} onClose={onClose}>
        <p>
          It is no notice yet, and never will be. All others take place. Nobody is notified. A message about the series
          may have named this date.
        </p>
        <FormError>{write.error?.message ?? write.data?.result?.userErrors[0]?.message}</FormError>
      </DialogForm>
    </Dialog>
  );
}

function CancelNotice(props: Props) {
  const { pageId, series, occurrence } = props;
  const { occursAt, beginsAt, noticeId } = occurrence;
  const publishing = usePublishing(`skip ${series.id} ${occursAt}`, props, {
    pageId,
    noticeId: noticeId!,
    input: { updateNotice: { state: 'CANCELLED', shouldPublish: true } },
  });
  const publish = (shouldPublish: boolean) =>
    publishing.outbox.send(
      SkipOccurrenceDocument,
      { pageId, id: series.id, occursAt, shouldPublish, previewHash: publishing.toHash(shouldPublish) },
      publishing.toSent(shouldPublish),
    );
  return (
    <PublishingDialog title={`Skip ${formatTime(beginsAt)}`} {...props} {...publishing} publish={publish}>
      <p>Its notice is cancelled. All others take place.</p>
    </PublishingDialog>
  );
}

/** Gives one occurrence another window. */
export function MoveOccurrence(props: Props) {
  const { pageId, series, occurrence } = props;
  const { occursAt, beginsAt, endsAt, noticeId } = occurrence;
  const [form, setForm] = useState({ beginsAt, endsAt });
  const { subject, content, componentIds } = series;
  const published = { ...form, shouldPublish: true };
  const publishing = usePublishing(`move ${series.id} ${occursAt}`, props, {
    pageId,
    ...(noticeId
      ? { noticeId, input: { updateNotice: published } }
      : { input: { scheduleMaintenance: { subject, content: content ?? null, componentIds, ...published } } }),
  });
  const publish = (shouldPublish: boolean) =>
    publishing.outbox.send(
      MoveOccurrenceDocument,
      {
        pageId,
        id: series.id,
        input: { occursAt, ...form, shouldPublish },
        previewHash: publishing.toHash(shouldPublish),
      },
      publishing.toSent(shouldPublish),
    );
  const setBegin = (begin: string) => {
    const length = Date.parse(form.endsAt) - Date.parse(form.beginsAt);
    const end = new Date(Date.parse(begin) + Math.max(0, length)).toISOString();
    setForm({ beginsAt: begin, endsAt: end });
  };
  const { errors } = publishing.outbox;
  return (
    <PublishingDialog
      title={`Move ${formatTime(beginsAt)}`}
      {...props}
      {...publishing}
      publish={publish}
      shownFields={['beginsAt', 'endsAt']}
    >
      {!noticeId && <p>It becomes a notice now, since people do not expect it at another time.</p>}
      <TimeField label="Begins" value={form.beginsAt} error={errors.beginsAt} onChange={setBegin} />
      <TimeField
        label="Ends"
        value={form.endsAt}
        error={errors.endsAt}
        onChange={value => setForm({ ...form, endsAt: value })}
      />
    </PublishingDialog>
  );
}
