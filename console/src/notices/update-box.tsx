import type { FormEvent } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { type DraftRowFragment, type NoticeDetailFragment } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { describeDraft, getDraftInput } from '../drafts/links.ts';
import { PublishWrittenLater } from '../drafts/publish-later.tsx';
import { useDrafting } from '../drafts/save-draft.tsx';
import { useDraft } from '../drafts/use-draft.ts';
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
import { toUpdateOperation } from './update-operation.ts';
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

interface FormProps extends Props {
  /** The draft that is continued. */
  draftId?: string;
  /** Absent, too, once it was published, as by what was pressed here: what is written is an update of its own then. */
  saved?: DraftRowFragment;
}

function ContinuedUpdate({ draftId, ...props }: Props & { draftId: string }) {
  const draft = useDraft(props.pageId, draftId);
  return <UpdateForm {...props} draftId={draftId} saved={draft ?? undefined} />;
}

function UpdateForm({ pageId, notice, onPublished, draftId, saved }: FormProps) {
  const session = useSession();
  const [, navigate] = useLocation();
  const storageName = `update ${session.email} ${notice.id}${draftId ? ` ${draftId}` : ''}`;
  const [stored, setDraft] = useStored<UpdateDraft>(storageName);
  const savedDraft = saved && { ...fromUpdateInput(getDraftInput(saved)), version: saved.version };
  const draft: UpdateDraft = { ...emptyUpdate, ...savedDraft, ...stored };
  const outbox = useOutbox(storageName, ({ results, publication }) => {
    setDraft(undefined);
    onPublished((results?.[0]?.publication ?? publication)?.id);
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
  const toOperation = (shouldPublish: boolean) =>
    toUpdateOperation(pageId, notice, saved, { ...input, shouldPublish }, (shouldPublish && hash) || null);
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
    const { document, variables } = toOperation(shouldPublish);
    outbox.send(document, variables, { seen, shouldNotify: shouldPublish });
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
          <CopyAs {...toOperation(true)} />
          {dialog}
        </>
      )}
    </form>
  );
}
