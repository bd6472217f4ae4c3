import { useState } from 'react';
import { CorrectionPreviewDocument, NotifyCorrectionDocument, type PreviewFragment } from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Audience, describeReached } from '../publishing/audience.tsx';
import { Previews } from '../publishing/previews.tsx';
import { type PreviewTab, selectMessage } from '../publishing/use-preview.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import styles from './notice.module.css';

interface Props {
  pageId: string;
  /** Of an update that was edited. */
  updateId: string;
  onPublished: (publicationId: string | undefined) => void;
}

/** Offers to tell those who were sent the wrong text, as long as there are any. */
export function Correction({ pageId, updateId, onPublished }: Props) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState<PreviewTab>('EMAIL');
  const variables = { pageId, id: updateId, ...selectMessage(isOpen ? tab : null) };
  const preview = useLazyRead(CorrectionPreviewDocument, variables).data?.previewCorrection;
  const reached = preview && describeReached(session, [preview]);
  if (!preview || !reached) return null;
  return (
    <>
      <Button look="quiet" icon="mail" onClick={() => setOpen(true)}>
        Send a correction to {reached} sent the wrong text
      </Button>
      {isOpen && (
        <CorrectionDialog
          pageId={pageId}
          updateId={updateId}
          preview={preview}
          reached={reached}
          tab={tab}
          onPublished={onPublished}
          onTab={setTab}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface DialogProps extends Props {
  preview: PreviewFragment;
  reached: string;
  tab: PreviewTab;
  onTab: (tab: PreviewTab) => void;
  onClose: () => void;
}

/** What they will read, and who they are. */
function CorrectionDialog({ pageId, updateId, preview, reached, tab, onPublished, onTab, onClose }: DialogProps) {
  const write = useWrite(NotifyCorrectionDocument);
  const errors = toFieldErrors(write.data?.result?.userErrors ?? []);
  const shown = { pageId, preview };
  const send = async () => {
    const { result } = await write.mutateAsync({ pageId, id: updateId, previewHash: preview.hash });
    if (result?.userErrors.length) return;
    onClose();
    onPublished(result?.publication?.id);
  };
  return (
    <Dialog title="Send a correction" onClose={onClose}>
      <h2>Send a correction</h2>
      <p>It is marked as a correction and goes to no one else.</p>
      <Previews shown={shown} pageIds={[pageId]} tab={tab} onTab={onTab} onPage={() => {}} />
      <Audience previews={[shown]} />
      <FormError>{write.error?.message ?? Object.values(errors)[0]}</FormError>
      <div className={styles.pager}>
        <Button look="primary" disabled={write.isPending} onClick={() => void send().catch(() => {})}>
          Send the correction to {reached}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
