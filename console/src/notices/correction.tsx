import { useState } from 'react';
import {
  ComponentCorrectionPreviewDocument,
  CorrectionPreviewDocument,
  NotifyComponentCorrectionDocument,
  NotifyCorrectionDocument,
  type PreviewFragment,
} from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Audience, describeReached } from '../publishing/audience.tsx';
import { Previews } from '../publishing/previews.tsx';
import { type PreviewTab, selectMessage } from '../publishing/use-preview.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import styles from './notice.module.css';

/** What can be wrong in a message, and how it is corrected. */
const kinds = {
  text: {
    preview: CorrectionPreviewDocument,
    notify: NotifyCorrectionDocument,
    describe: (reached: string) => `Send a correction to ${reached} sent the wrong text`,
    hint: 'It is marked as a correction and goes to no one else.',
  },
  components: {
    preview: ComponentCorrectionPreviewDocument,
    notify: NotifyComponentCorrectionDocument,
    describe: (reached: string) => `Send a correction of the components to ${reached}`,
    hint:
      'It is marked as a correction. It goes to subscribers of the components that are named now, and to those who ' +
      'were sent an earlier message.',
  },
};

interface Props {
  pageId: string;
  kind: keyof typeof kinds;
  /** Of an update that was edited, or of a notice. */
  id: string;
  onPublished: (publicationId: string | undefined) => void;
}

/** Offers to notify those who were sent something wrong, as long as there are any. */
export function Correction({ pageId, kind, id, onPublished }: Props) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const [tab, setTab] = useState<PreviewTab>('EMAIL');
  const variables = { pageId, id, ...selectMessage(isOpen ? tab : null) };
  const preview = useLazyRead(kinds[kind].preview, variables).data?.preview;
  const reached = preview && describeReached(session, [preview]);
  if (!preview || !reached) return null;
  return (
    <>
      <div className={kind === 'components' ? styles.correction : undefined}>
        {kind === 'components' && <p>The newest message names other components.</p>}
        <Button look={kind === 'components' ? 'secondary' : 'quiet'} icon="mail" onClick={() => setOpen(true)}>
          {kinds[kind].describe(reached)}
        </Button>
      </div>
      {isOpen && (
        <CorrectionDialog
          pageId={pageId}
          kind={kind}
          id={id}
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
function CorrectionDialog({ pageId, kind, id, preview, reached, tab, onPublished, onTab, onClose }: DialogProps) {
  const write = useWrite(kinds[kind].notify);
  const { others } = toFormErrors(write.data?.result?.userErrors, []);
  const shown = { pageId, preview };
  const send = async () => {
    const { result } = await write.mutateAsync({ pageId, id, previewHash: preview.hash });
    if (result?.userErrors.length) return;
    onClose();
    onPublished(result?.publication?.id);
  };
  return (
    <Dialog title="Send a correction" onClose={onClose}>
      <p>{kinds[kind].hint}</p>
      <Previews shown={shown} pageIds={[pageId]} tab={tab} onTab={onTab} onPage={() => {}} />
      <Audience previews={[shown]} />
      <FormError>{write.error?.message ?? others}</FormError>
      <div className={styles.pager}>
        <Button look="primary" disabled={write.isPending} onClick={() => void send().catch(() => {})}>
          Send the correction to {reached}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
