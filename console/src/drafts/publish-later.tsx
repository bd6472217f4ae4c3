import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import {
  type NoticeChangeInput,
  type PreviewFragment,
  SaveDraftDocument,
  ScheduleDraftDocument,
} from '../api/documents.ts';
import { createKey } from '../api/idempotency-key.ts';
import { useSession } from '../api/session.ts';
import { formatTime } from '../api/times.ts';
import { request } from '../api/transport.ts';
import { describeReached } from '../publishing/audience.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { TimeField } from '../ui/time-field.tsx';
import type { SavedDraft } from './save-draft.tsx';
import styles from './drafts.module.css';

interface Props {
  pageId: string;
  /** That on the screen, which is published. Undefined: there is none yet. */
  preview: PreviewFragment | undefined;
  /** The draft with what is on the screen. */
  toDraft: () => Promise<SavedDraft>;
  onScheduled: (draftId: string) => void;
}

const hourMs = 3_600_000;
/** The next full hour that is at least an hour away. */
const suggestTime = (): string => new Date(Math.ceil(Date.now() / hourMs + 1) * hourMs).toISOString();

/** Has a draft published at a time, exactly as the preview on the screen shows it. */
export function PublishLater({ pageId, preview, toDraft, onScheduled }: Props) {
  const client = useQueryClient();
  const session = useSession();
  const previewHash = preview?.hash ?? undefined;
  const reached = preview && (describeReached(session, [preview]) ?? 'nobody');
  const { timezone: timeZone, timezoneName } = session.pages.find(({ id }) => id === pageId) ?? {};
  const [publishAt, setPublishAt] = useState<string>();
  const isOpen = publishAt !== undefined;
  const scheduling = useMutation({
    mutationFn: async (hash: string) => {
      const { id, version } = await toDraft();
      const variables = { pageId, id, ifVersion: version, publishAt: publishAt!, previewHash: hash };
      const { result } = await request(ScheduleDraftDocument, variables, { idempotencyKey: createKey() });
      const [refused] = result?.userErrors ?? [];
      if (refused) throw new Error(refused.message);
      return id;
    },
    onSuccess: async id => {
      await client.invalidateQueries();
      onScheduled(id);
    },
  });
  const isReady = previewHash !== undefined && !scheduling.isPending;
  const schedule = () => isReady && scheduling.mutate(previewHash);
  // The field is in the form whose Enter publishes at once.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    schedule();
  };
  if (!isOpen)
    return (
      <Button look="quiet" onClick={() => setPublishAt(suggestTime())}>
        Publish later …
      </Button>
    );
  return (
    <div className={styles.later}>
      <TimeField
        label={`Publish and notify at (${timeZone ? `time zone of the page: ${timezoneName}` : 'your time'})`}
        hint={timeZone && `${formatTime(publishAt)} your time`}
        value={publishAt}
        timeZone={timeZone}
        onChange={setPublishAt}
        onKeyDown={onKeyDown}
      />
      <FormError>{scheduling.error?.message}</FormError>
      <div className={styles.buttons}>
        <Button look="primary" disabled={!isReady} onClick={schedule}>
          {scheduling.isPending ? 'Scheduling …' : reached ? `Schedule and notify ${reached}` : 'Schedule'}
        </Button>
        <Button look="quiet" onClick={() => setPublishAt(undefined)}>
          Not later
        </Button>
      </div>
    </div>
  );
}

interface WrittenProps extends Omit<Props, 'toDraft'> {
  noticeId?: string;
  input: NoticeChangeInput;
  /** The draft that is continued. */
  saved: SavedDraft | undefined;
}

/** The same for what is being written, which is saved as a draft first. */
export function PublishWrittenLater({ noticeId, input, saved, ...others }: WrittenProps) {
  // Of an earlier press, whose draft was saved and not scheduled.
  const latest = useRef(saved);
  const toDraft = async () => {
    const { id, version } = latest.current ?? { id: null, version: null };
    const { result } = await request(
      SaveDraftDocument,
      { pageId: others.pageId, id, ifVersion: version, noticeId: noticeId ?? null, input },
      { idempotencyKey: createKey() },
    );
    if (!result?.draft) throw new Error(result?.userErrors[0]?.message);
    latest.current = result.draft;
    return result.draft;
  };
  return <PublishLater {...others} toDraft={toDraft} />;
}
