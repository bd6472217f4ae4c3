import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Previews } from './previews.tsx';
import { type Change, type PreviewTab, usePreviews } from './use-preview.ts';

/** What a change of one page would publish, if it can publish anything, and the dialog with what readers will see. */
export function usePreviewDialog(change: Change | undefined) {
  const [tab, setTab] = useState<PreviewTab>('PAGE');
  const [isOpen, setOpen] = useState(false);
  const { previews, isCurrent } = usePreviews(change ? [change] : [], isOpen ? tab : null);
  const dialog = isOpen && change && (
    <PreviewDialog onClose={() => setOpen(false)}>
      <Previews shown={previews[0]!} pageIds={[change.pageId]} tab={tab} onTab={setTab} onPage={() => {}} />
    </PreviewDialog>
  );
  /** Undefined until it belongs to what is written now. */
  const hash = (isCurrent && previews[0]?.preview?.hash) || undefined;
  return { previews, isCurrent, hash, dialog, open: () => setOpen(true) };
}

/** Over the form, where there is no room beside it. */
export const PreviewDialog = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <Dialog title="Preview" heading={null} onClose={onClose}>
    {children}
    <Button onClick={onClose}>Close</Button>
  </Dialog>
);
