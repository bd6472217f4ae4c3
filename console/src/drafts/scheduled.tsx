import { Link } from 'wouter';
import { type DraftScheduleFragment, ScheduledDraftsDocument, UnscheduleDraftDocument } from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from './drafts.module.css';

/** When a draft is published by itself, with the button that cancels that, or why it was not. */
export function ScheduleStatus({ draft }: { draft: DraftScheduleFragment }) {
  const now = useNow();
  const { id, version, page, publishAt, scheduledBy, failure } = draft;
  const cancel = useWrite(UnscheduleDraftDocument);
  if (failure)
    return (
      <p className={styles.warning} role="alert">
        This was not published as scheduled. {failure}
      </p>
    );
  if (!publishAt) return null;
  return (
    <div className={styles.scheduled}>
      <p>
        Will be published on {formatTime(publishAt)}, {formatDistance(publishAt, now)}. Scheduled by{' '}
        {scheduledBy?.label}.
      </p>
      <Button disabled={cancel.isPending} onClick={() => cancel.mutate({ pageId: page.id, id, ifVersion: version })}>
        Cancel
      </Button>
      <FormError>{cancel.error?.message ?? cancel.data?.result?.userErrors[0]?.message}</FormError>
    </div>
  );
}

interface Props {
  /** Null: all pages. */
  pageId: string | null;
  /** Those of this notice alone. */
  noticeId?: string;
  intervalMs?: number;
}

/** What will be published by itself, and what was not though it was due. */
export function useScheduledDrafts({ pageId, noticeId, intervalMs }: Props): DraftScheduleFragment[] {
  const { data } = useLazyRead(ScheduledDraftsDocument, { pageId }, { intervalMs });
  const drafts = [...(data?.failed?.nodes ?? []), ...(data?.scheduled?.nodes ?? [])];
  return noticeId ? drafts.filter(({ notice }) => notice?.id === noticeId) : drafts;
}

export const ScheduledList = ({ drafts }: { drafts: DraftScheduleFragment[] }) => (
  <ul className={styles.list}>
    {drafts.map(draft => (
      <li key={draft.id}>
        <Link href={`/pages/${draft.page.id}/drafts/${draft.id}`}>
          {draft.subject ?? draft.notice?.subject ?? 'Without a subject'}
        </Link>
        <ScheduleStatus draft={draft} />
      </li>
    ))}
  </ul>
);
