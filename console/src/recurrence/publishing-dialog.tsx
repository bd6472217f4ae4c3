import type { FormEvent, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { useOutbox } from '../publishing/outbox.ts';
import { usePreviewDialog } from '../publishing/preview-dialog.tsx';
import { PublishBar } from '../publishing/publish-bar.tsx';
import { toSeen } from '../publishing/seen-preview.ts';
import type { Change } from '../publishing/use-preview.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { joinOtherErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import styles from '../ui/list.module.css';

interface Owner {
  pageId: string;
  onClose: () => void;
}

/** As any other publication: with its preview, once, and with its progress on the screen of the notice. */
export function usePublishing(name: string, { pageId, onClose }: Owner, change: Change | undefined) {
  const session = useSession();
  const [, navigate] = useLocation();
  const preview = usePreviewDialog(change);
  const outbox = useOutbox(`${name} ${session.email}`, ({ notice, publication }) => {
    onClose();
    if (publication) navigate(`/pages/${pageId}/notices/${notice!.id}?publication=${publication.id}`);
  });
  return {
    preview,
    outbox,
    toHash: (shouldPublish: boolean) => (shouldPublish && preview.hash) || null,
    toSent: (shouldNotify: boolean) => ({ seen: toSeen(session, preview.previews), shouldNotify }),
  };
}

interface FormProps extends Owner, Pick<ReturnType<typeof usePublishing>, 'preview' | 'outbox'> {
  publish: (shouldPublish: boolean) => void;
  /** The fields among the children that say what was refused. The form says what belongs to none of them. */
  shownFields?: readonly string[];
  children: ReactNode;
}

/** Asks for each change whether people are notified, as every form does that can notify. */
export function PublishingForm({ pageId, preview, outbox, publish, onClose, shownFields, children }: FormProps) {
  const session = useSession();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (outbox.state === 'idle') publish(true);
  };
  return (
    <>
      <form className={styles.form} onSubmit={onSubmit} onKeyDown={submitOnShortcut}>
        {children}
        <PublishBar
          previews={preview.previews}
          isCurrent={preview.isCurrent}
          error={joinOtherErrors(outbox.errors, shownFields)}
          outbox={outbox}
          mayPublish={session.has('PUBLISHER', pageId)}
          onPublish={publish}
          onPreview={preview.previews.length ? preview.open : undefined}
        />
        <Button onClick={onClose}>Cancel</Button>
      </form>
      {preview.dialog}
    </>
  );
}

export const PublishingDialog = ({ title, ...form }: FormProps & { title: string }) => (
  <Dialog title={title} onClose={form.onClose}>
    <PublishingForm {...form} />
  </Dialog>
);
