import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import {
  DraftDocument,
  DraftHashDocument,
  type DraftRowFragment,
  type DraftVerb,
  type NoticeChangeInput,
  SaveDraftDocument,
} from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { request, RequestError } from '../api/transport.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Versions } from '../ui/versions.tsx';
import type { Drafting } from '../publishing/drafting-buttons.tsx';
import { describeDraft, getDraftInput, getInput, toForm, toReview } from './links.ts';
import styles from './drafts.module.css';

/** A draft at the version that its author has seen. */
export interface SavedDraft {
  id: string;
  version: number;
  publishAt?: string | null;
}

interface Props {
  pageId: string;
  noticeId?: string;
  input: NoticeChangeInput;
  /** The draft that is continued. */
  saved?: SavedDraft;
  /** With the screen that comes next. */
  onSaved: (path: string) => void;
}

/** Stores what is written on the service, where others continue or confirm it, and says what came of it. */
export function useDrafting({ pageId, noticeId, input, saved, onSaved }: Props): Drafting & { outcome: ReactNode } {
  const client = useQueryClient();
  const write = useWrite(SaveDraftDocument);
  const isStale = write.error instanceof RequestError && write.error.code === 'PRECONDITION_FAILED';
  const stored = useLazyRead(DraftDocument, { pageId, id: saved?.id ?? '' }, { isEnabled: isStale }).data?.draft;
  const verb = toVerb(input);

  const save = async (replaced: SavedDraft | undefined, isForReview = false) => {
    const { result } = await write.mutateAsync({
      pageId,
      noticeId: noticeId ?? null,
      input,
      id: replaced?.id ?? null,
      ifVersion: replaced?.version ?? null,
    });
    const draft = result?.draft;
    if (!draft) return;
    if (!isForReview) return onSaved(toForm(pageId, draft.id, { verb, noticeId }));
    const { previewDraft } = await request(DraftHashDocument, { pageId, id: draft.id });
    onSaved(toReview(pageId, draft.id, previewDraft?.hash ?? ''));
  };
  const mutationKey = [useId()];
  const saving = useMutation({
    mutationKey,
    mutationFn: (task: () => Promise<void>) => task(),
    // Of a draft that somebody else has saved, their version is shown.
    onError: () => client.invalidateQueries(),
  });
  // A second press may come before the buttons are disabled.
  const run = (task: () => Promise<void>) => void (client.isMutating({ mutationKey }) || saving.mutate(task));
  const outcome = (
    <div className={styles.save}>
      {saved?.publishAt && (
        <p>It will be published on {formatTime(saved.publishAt)}. If you save another text, that is cancelled.</p>
      )}
      {isStale && stored && (
        <Versions
          theirsTitle={`Theirs: ${describeDraft(stored)}`}
          theirs={<Texts input={getDraftInput(stored)} />}
          yours={<Texts input={getInput(input)} />}
        >
          <div className={styles.buttons}>
            <Button onClick={() => run(() => save({ id: stored.id, version: stored.version }))}>
              Save yours in its place
            </Button>
            <Button onClick={() => run(() => save(undefined))}>Save yours as another draft</Button>
          </div>
        </Versions>
      )}
      <FormError>
        {isStale ? undefined : (write.error?.message ?? write.data?.result?.userErrors[0]?.message)}
      </FormError>
    </div>
  );
  return {
    isPending: saving.isPending,
    save: () => run(() => save(saved)),
    askForReview: () => run(() => save(saved, true)),
    outcome,
  };
}

const toVerb = (input: NoticeChangeInput): DraftVerb =>
  Object.keys(input)[0]!
    .replaceAll(/[A-Z]/g, letter => `_${letter}`)
    .toUpperCase() as DraftVerb;

const Texts = ({ input }: { input: Partial<Pick<DraftRowFragment, 'subject' | 'content'>> }) => (
  <>
    {input.subject && <p>{input.subject}</p>}
    <pre>{input.content}</pre>
  </>
);
