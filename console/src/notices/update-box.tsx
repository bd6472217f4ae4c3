import type { FormEvent } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import {
  DeleteDraftDocument,
  DraftDocument,
  type DraftRowFragment,
  type NoticeDetailFragment,
  PostUpdateDocument,
} from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { describeDraft, getDraftInput } from '../drafts/links.ts';
import { PublishWrittenLater } from '../drafts/publish-later.tsx';
import { useDrafting } from '../drafts/save-draft.tsx';
import { ContentArea } from '../images/content-area.tsx';
import { toSeen } from '../publishing/seen-preview.ts';
import { CopyAs } from '../publishing/copy-as.tsx';
import { NextUpdateField } from '../publishing/next-update-field.tsx';
import { useOutbox } from '../publishing/outbox.ts';
import { PublishBar } from '../publishing/publish-bar.tsx';
import { usePreviewDialog } from '../publishing/preview-dialog.tsx';
import { WrittenFields } from '../publishing/written-fields.tsx';
import { joinOtherErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { useNewerUpdate } from './newer-update.tsx';
import { Extension, StateChoice, StillAffected } from './update-choices.tsx';
import {
  canFollow,
  changeUpdate,
  emptyUpdate,
  fromUpdateInput,
  toUpdateInput,
  type UpdateDraft,
} from './update-draft.ts';
import styles from './notice.module.css';

export const updateFieldId = 'update';

interface Props {
  pageId: string;
  notice: NoticeDetailFragment;
  onPublished: (publicationId: string | undefined) => void;
}

/** The next state in one tap, with a text that can be sent as it is, and who hears of it. */
export function UpdateBox(props: Props) {
  const [parameters] = useSearchParams();
  const draftId = parameters.get('draft');
  return draftId ? <ContinuedUpdate key={draftId} {...props} draftId={draftId} /> : <UpdateForm {...props} />;
}

function ContinuedUpdate({ draftId, ...props }: Props & { draftId: string }) {
  const { draft } = useRead(DraftDocument, { pageId: props.pageId, id: draftId });
  return <UpdateForm {...props} saved={draft ?? undefined} />;
}

function UpdateForm({ pageId, notice, onPublished, saved }: Props & { saved?: DraftRowFragment }) {
  const session = useSession();
  const [, navigate] = useLocation();
  const storageName = `update ${session.email} ${notice.id}${saved ? ` ${saved.id}` : ''}`;
  const [stored, setDraft] = useStored<UpdateDraft>(storageName);
  const savedDraft = saved && { ...fromUpdateInput(getDraftInput(saved)), version: saved.version };
  const draft: UpdateDraft = { ...emptyUpdate, ...savedDraft, ...stored };
  const removeDraft = useWrite(DeleteDraftDocument);
  const outbox = useOutbox(storageName, ({ publication }) => {
    setDraft(undefined);
    if (saved) removeDraft.mutate({ pageId, id: saved.id });
    onPublished(publication?.id);
  });
  const input = toUpdateInput(notice, draft);
  const published = { updateNotice: { ...input, shouldPublish: true } };
  const { previews, isCurrent, hash, dialog, open } = usePreviewDialog({
    pageId,
    noticeId: notice.id,
    input: published,
  });
  const newer = useNewerUpdate(pageId, notice, draft, outbox);

  const change = (fields: Partial<UpdateDraft>) => setDraft(changeUpdate(notice, draft, fields));
  const toVariables = (shouldPublish: boolean) => ({
    pageId,
    id: notice.id,
    ifVersion: notice.version,
    input: { ...input, shouldPublish },
    previewHash: (shouldPublish && hash) || null,
  });
  const savedVersion = saved && { ...saved, version: draft.version! };
  const draftInput = { updateNotice: { ...input, shouldPublish: false } };
  const written = { pageId, noticeId: notice.id, input: draftInput, saved: savedVersion };
  const leave = (path: string) => {
    setDraft(undefined);
    navigate(path);
  };
  const drafting = useDrafting({ ...written, onSaved: leave });
  const mayPublish = session.has('PUBLISHER', pageId);
  const publish = (shouldPublish: boolean) => {
    if (!mayPublish) return drafting.askForReview();
    if (newer && !newer.isSeen) return newer.show();
    const seen = toSeen(session, previews);
    outbox.send(PostUpdateDocument, toVariables(shouldPublish), { seen, shouldNotify: shouldPublish });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (outbox.state === 'idle') publish(true);
  };
  const { errors } = outbox;
  const isWritten = Boolean(draft.content.trim());
  return (
    <form id={updateFieldId} className={styles.box} onSubmit={onSubmit} onKeyDown={submitOnShortcut}>
      {saved && <p className={styles.hint}>{describeDraft(saved)}</p>}
      <WrittenFields outbox={outbox}>
        {notice.state && <StateChoice notice={notice} draft={draft} onChange={change} />}
        <StillAffected notice={notice} draft={draft} onChange={change} />
        <Extension notice={notice} draft={draft} onChange={change} />
        <ContentArea
          pageIds={[pageId]}
          error={errors.content}
          value={draft.content}
          onChange={text => change({ content: text })}
        />
        {isWritten && canFollow(notice, draft) && (
          <NextUpdateField
            value={draft.nextUpdate}
            error={errors.nextUpdateBy}
            onChange={nextUpdate => change({ nextUpdate })}
          />
        )}
      </WrittenFields>
      {isWritten && (
        <>
          <PublishBar
            previews={previews}
            isCurrent={isCurrent}
            error={joinOtherErrors(errors, ['content', 'nextUpdateBy'])}
            outbox={outbox}
            mayPublish={mayPublish}
            drafting={drafting}
            onPublish={publish}
            onPreview={open}
            newer={newer}
            later={
              <PublishWrittenLater
                {...written}
                preview={isCurrent ? previews[0]?.preview : undefined}
                onScheduled={() => leave(`/pages/${pageId}/notices/${notice.id}`)}
              />
            }
          />
          {drafting.outcome}
          <CopyAs document={PostUpdateDocument} variables={toVariables(true)} />
          {dialog}
        </>
      )}
    </form>
  );
}
