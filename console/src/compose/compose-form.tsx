import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { DraftRowFragment, NoticeChangeInput } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { RequestError } from '../api/transport.ts';
import { describeDraft, getDraftInput } from '../drafts/links.ts';
import { PublishWrittenLater } from '../drafts/publish-later.tsx';
import { useDrafting } from '../drafts/save-draft.tsx';
import { useFollowPage } from '../layout/present-page.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { Consequences } from '../publishing/consequences.tsx';
import { toSeen } from '../publishing/seen-preview.ts';
import { CopyAs } from '../publishing/copy-as.tsx';
import { PreviewDialog } from '../publishing/preview-dialog.tsx';
import { Previews } from '../publishing/previews.tsx';
import { PublishBar } from '../publishing/publish-bar.tsx';
import { useOutbox } from '../publishing/outbox.ts';
import { type PreviewTab, usePreviews } from '../publishing/use-preview.ts';
import { WrittenFields } from '../publishing/written-fields.tsx';
import { windowWarnings } from '../publishing/warnings.tsx';
import { joinOtherErrors } from '../ui/field-errors.ts';
import { submitOnShortcut, useErrorFocus } from '../ui/form.ts';
import { useMedia } from '../ui/use-media.ts';
import { listChoices } from './choices.ts';
import { FormFields, shownFields } from './form-fields.tsx';
import { type Draft, findMissing, fromInput, kinds, newDraft } from './kinds.ts';
import { toPublished } from './published-link.ts';
import { toPublishing } from './publishing.ts';
import styles from './compose.module.css';

interface Props {
  kind: string;
  pageId: string;
  /** The draft that is continued. */
  draftId?: string;
  /** Absent, too, once it was published, as by what was pressed here. */
  saved?: DraftRowFragment;
}

/** What is written, what follows from it, and who hears of it. */
export function ComposeForm({ kind: name, pageId, draftId, saved }: Props) {
  const session = useSession();
  const [, navigate] = useLocation();
  const kind = kinds[name]!;
  const storageName = `draft ${session.email} ${name}${draftId ? ` ${draftId}` : ''}`;
  const [stored, setDraft] = useStored<Draft>(storageName);
  const savedDraft = saved && { ...fromInput(getDraftInput(saved)), version: saved.version };
  // It may have been written for a page that has been deleted since.
  const isForKnownPage = session.pagesWith('DRAFTER').some(({ id }) => id === stored?.pageId);
  const page = isForKnownPage ? {} : { pageId, choice: {}, others: {} };
  const draft: Draft = { ...newDraft(kind, pageId), ...savedDraft, ...stored, ...(stored && page) };
  useFollowPage(draft.pageId);
  const [tab, setTab] = useState<PreviewTab>('PAGE');
  const isBeside = useMedia('(min-width: 75rem)');
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const [shownPageId, setShownPageId] = useState(draft.pageId);
  const [missing, setMissing] = useState<Record<string, string>>({});

  const choices = listChoices(draft);
  const pageIds = choices.map(([id]) => id);
  const leave = (path: string) => {
    setDraft(undefined);
    navigate(path);
  };
  const outbox = useOutbox(storageName, payload => leave(toPublished(pageIds, payload.results ?? [payload])));
  if (draftId && !saved && outbox.state === 'idle')
    throw new RequestError('The draft does not exist, or was published or deleted.', 'NOT_FOUND');
  const toChanges = (shouldPublish: boolean, from = draft) =>
    choices.map(([id, choice]) => {
      const input: object = { [kind.verb]: { ...kind.toInput(from, choice), shouldPublish } };
      return { pageId: id, input: input as NoticeChangeInput };
    });
  const shownDraft = draft.subject.trim() ? draft : { ...draft, subject: 'No subject yet' };
  const { previews, isCurrent } = usePreviews(
    toChanges(true, shownDraft),
    isBeside || isPreviewOpen ? tab : null,
    shownPageId,
  );
  const errors = { ...outbox.errors, ...missing };
  const form = useErrorFocus(outbox.errors, missing);

  const toOperation = (shouldPublish: boolean) => {
    const hashes = previews.map(({ preview }) => (shouldPublish && isCurrent && preview?.hash) || null);
    return toPublishing(kind, toChanges(shouldPublish), hashes, draftId);
  };
  const isOnePage = choices.length === 1;
  const savedVersion = saved && { ...saved, version: draft.version! };
  const written = { pageId: draft.pageId, input: toChanges(false)[0]!.input, saved: savedVersion };
  const drafting = useDrafting({ ...written, onSaved: leave });
  const mayPublish = session.has('PUBLISHER', draft.pageId);
  const publish = (shouldPublish: boolean) => {
    const errors = findMissing(draft);
    setMissing(errors);
    if (Object.keys(errors).length) return;
    if (!mayPublish) return isOnePage ? drafting.askForReview() : undefined;
    const { document, variables } = toOperation(shouldPublish);
    outbox.send(document, variables as never, { seen: toSeen(session, previews), shouldNotify: shouldPublish });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (outbox.state === 'idle') publish(true);
  };
  const shown = previews.find(each => each.pageId === shownPageId) ?? previews[0]!;
  const preview = <Previews shown={shown} pageIds={pageIds} tab={tab} onTab={setTab} onPage={setShownPageId} />;
  return (
    <>
      <ScreenHeader title={kind.title} above={saved && describeDraft(saved)} />
      <div className={styles.columns}>
        <form ref={form} onSubmit={onSubmit} onKeyDown={submitOnShortcut} className={styles.form}>
          <WrittenFields outbox={outbox}>
            <FormFields
              kind={kind}
              draft={draft}
              previews={previews}
              isSaved={Boolean(draftId)}
              errors={errors}
              onChange={fields => setDraft({ ...draft, ...fields })}
            />
          </WrittenFields>
          <Consequences previews={previews} />
          <PublishBar
            previews={previews}
            warnedElsewhere={windowWarnings}
            isCurrent={isCurrent}
            error={joinOtherErrors(errors, shownFields)}
            outbox={outbox}
            mayPublish={mayPublish}
            drafting={isOnePage ? drafting : undefined}
            onPublish={publish}
            onPreview={isBeside ? undefined : () => setPreviewOpen(true)}
            later={
              isOnePage && (
                <PublishWrittenLater
                  {...written}
                  preview={isCurrent && draft.subject.trim() ? shown.preview : undefined}
                  onScheduled={id => leave(`/pages/${draft.pageId}/drafts/${id}`)}
                />
              )
            }
          />
          {isOnePage && drafting.outcome}
          <CopyAs {...toOperation(true)} />
        </form>
        {isBeside && preview}
      </div>
      {!isBeside && isPreviewOpen && <PreviewDialog onClose={() => setPreviewOpen(false)}>{preview}</PreviewDialog>}
    </>
  );
}
