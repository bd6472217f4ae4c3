import { type FormEvent, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { DraftPreviewDocument, PublishDraftDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { RequestError } from '../api/transport.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { Consequences } from '../publishing/consequences.tsx';
import { toSeen } from '../publishing/seen-preview.ts';
import { CopyableText, CopyAs } from '../publishing/copy-as.tsx';
import { useOutbox } from '../publishing/outbox.ts';
import { Previews } from '../publishing/previews.tsx';
import { PublishBar } from '../publishing/publish-bar.tsx';
import { type PreviewTab, selectMessage } from '../publishing/use-preview.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { joinOtherErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { StateLabel } from '../ui/state-label.tsx';
import { AddToNotice } from './add-to-notice.tsx';
import { describeDraft, getDraftState, toForm, toReview, verbNames } from './links.ts';
import { PublishLater } from './publish-later.tsx';
import { ScheduleStatus } from './scheduled.tsx';
import { useDraft } from './use-draft.ts';
import styles from './drafts.module.css';

/** One draft: what it would publish, who hears of it, and the button of a publisher who confirms exactly that. */
export default function Review({ pageId, id }: { pageId: string; id: string }) {
  const session = useSession();
  const [, navigate] = useLocation();
  const [parameters] = useSearchParams();
  const [tab, setTab] = useState<PreviewTab>('PAGE');
  const draft = useDraft(pageId, id);
  const { data, isPlaceholderData } = useLazyRead(DraftPreviewDocument, { pageId, id, ...selectMessage(tab) });
  const outbox = useOutbox(`publish draft ${session.email} ${id}`, ({ notice, publication }) =>
    navigate(`/pages/${pageId}/notices/${notice!.id}${publication ? `?publication=${publication.id}` : ''}`),
  );
  if (!draft && outbox.state === 'idle')
    throw new RequestError('The draft does not exist, or was published or deleted.', 'NOT_FOUND');
  if (!draft) return null;
  const preview = data?.previewDraft ?? undefined;
  const previews = [{ pageId, preview }];
  const state = getDraftState(draft);
  const mayPublish = session.has('PUBLISHER', pageId);
  const linkedHash = parameters.get('preview');
  const differences = linkedHash && preview?.hash ? listDifferences(linkedHash, preview.hash) : [];
  const toVariables = (shouldPublish: boolean) => ({
    pageId,
    id,
    ifVersion: draft.version,
    shouldPublish,
    previewHash: shouldPublish ? (preview?.hash ?? null) : null,
  });
  const publish = (shouldPublish: boolean) =>
    outbox.send(PublishDraftDocument, toVariables(shouldPublish), {
      seen: toSeen(session, previews),
      shouldNotify: shouldPublish,
    });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (mayPublish && outbox.state === 'idle') publish(true);
  };
  return (
    <>
      <ScreenHeader
        title={draft.subject ?? draft.notice?.subject ?? 'Without a subject'}
        above={`${verbNames[draft.verb]} · ${describeDraft(draft)}`}
      >
        <ButtonLink icon="edit" href={toForm(pageId, id, { verb: draft.verb, noticeId: draft.notice?.id })}>
          Continue writing
        </ButtonLink>
      </ScreenHeader>
      <div className={styles.columns}>
        <form onSubmit={onSubmit} onKeyDown={submitOnShortcut} className={styles.form}>
          <ScheduleStatus draft={draft} />
          {differences.length > 0 && (
            <p className={styles.warning} role="alert">
              Since the review was asked for, this has changed: {differences.join(', ')}. What you see is what would be
              published now.
            </p>
          )}
          {state && (
            <p>
              <StateLabel state={state} />
            </p>
          )}
          <Consequences previews={previews} />
          <AddToNotice pageId={pageId} draft={draft} preview={preview} />
          {preview?.text && (
            <div className={styles.text}>
              <h2>Text</h2>
              <pre>{preview.text}</pre>
            </div>
          )}
          <FormError>{preview?.userErrors.map(({ message }) => message).join(' ')}</FormError>
          {preview?.hash && (
            <details className={styles.link} open={!mayPublish}>
              <summary>The link for a publisher</summary>
              <p>The link opens this screen and shows what changed since.</p>
              <CopyableText text={`${location.origin}/console${toReview(pageId, id, preview.hash)}`} />
            </details>
          )}
          <PublishBar
            previews={previews}
            isCurrent={preview !== undefined && !isPlaceholderData}
            error={joinOtherErrors(outbox.errors)}
            outbox={outbox}
            mayPublish={mayPublish}
            onPublish={publish}
            later={
              !draft.publishAt && (
                <PublishLater
                  pageId={pageId}
                  preview={isPlaceholderData ? undefined : preview}
                  toDraft={async () => draft}
                  onScheduled={() => scrollTo(0, 0)}
                />
              )
            }
          />
          {mayPublish && <CopyAs document={PublishDraftDocument} variables={toVariables(true)} />}
        </form>
        <Previews shown={previews[0]!} pageIds={[pageId]} tab={tab} onTab={setTab} onPage={() => {}} />
      </div>
    </>
  );
}

/** The hash of a preview has four parts. */
const parts = ['the text', 'the states', 'who is notified', 'how the messages look'];

function listDifferences(asked: string, now: string): string[] {
  const before = asked.split('-');
  const after = now.split('-');
  return parts.filter((_, index) => before[index] !== after[index]);
}
