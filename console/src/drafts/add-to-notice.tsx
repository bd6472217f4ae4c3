import { useLocation, useSearchParams } from 'wouter';
import {
  type DraftRowFragment,
  NamedComponentsDocument,
  type PreviewFragment,
  SaveDraftDocument,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { request } from '../api/transport.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from './drafts.module.css';

interface Props {
  pageId: string;
  draft: DraftRowFragment;
  preview: PreviewFragment | undefined;
}

/** Makes the draft of an incident an update of an open notice about the same components. */
export function AddToNotice({ pageId, draft, preview }: Props) {
  const [, navigate] = useLocation();
  const [parameters] = useSearchParams();
  const write = useWrite(SaveDraftDocument);
  const notices = draft.verb === 'OPEN_INCIDENT' ? (preview?.overlappingNotices ?? []) : [];
  const add = async (noticeId: string) => {
    const named = (await request(NamedComponentsDocument, { id: noticeId })).notice?.componentIds ?? [];
    const added = listComponents(draft).filter(id => !named.includes(id));
    const { result } = await write.mutateAsync({
      pageId,
      id: draft.id,
      ifVersion: draft.version,
      noticeId,
      input: {
        updateNotice: {
          content: draft.content ?? draft.subject,
          shouldPublish: false,
          ...(added.length && { componentIds: [...named, ...added] }),
        },
      },
    });
    if (!result?.userErrors.length) navigate(`/pages/${pageId}/drafts/${draft.id}`, { replace: true });
  };
  const problems = write.data?.result?.userErrors.map(({ message }) => message.replaceAll('`', ''));
  return (
    <>
      {notices.map(({ id, subject }) => (
        <div key={id} className={styles.save}>
          <p>“{subject}” is open, and names the same components. Publish this as an update of it?</p>
          <div className={styles.buttons}>
            <Button
              look={parameters.get('addTo') === id ? 'primary' : 'quiet'}
              aria-label={`Add to the open notice ${subject}`}
              disabled={write.isPending}
              onClick={() => void add(id).catch(() => {})}
            >
              Add to the open notice
            </Button>
          </div>
        </div>
      ))}
      <FormError>{write.error?.message ?? problems?.join(' ')}</FormError>
    </>
  );
}

/** The components that the draft of an incident names. */
function listComponents({ change }: DraftRowFragment): string[] {
  const { componentIds, affectedComponents } = change.openIncident ?? {};
  return (componentIds ?? affectedComponents?.map(({ componentId }) => componentId) ?? []).map(String);
}
