import { useSearchParams } from 'wouter';
import { useSession } from '../api/session.ts';
import { useDraft } from '../drafts/use-draft.ts';
import { usePresentPage } from '../layout/present-page.tsx';
import { ComposeForm } from './compose-form.tsx';

/** One screen from nothing to a publication: what is written, what follows from it, and who hears of it. */
export default function Compose({ kind }: { kind: string }) {
  const session = useSession();
  const [parameters] = useSearchParams();
  const pageParameter = parameters.get('page');
  const present = usePresentPage();
  const mayDraft = (id: string | null | undefined) => session.pagesWith('DRAFTER').find(page => page.id === id);
  const page = mayDraft(pageParameter) ?? mayDraft(present?.id) ?? session.pagesWith('DRAFTER')[0]!;
  const pageId = page.id;
  const id = parameters.get('draft');
  if (id) return <ContinuedDraft key={id} kind={kind} pageId={pageId} id={id} />;
  return <ComposeForm kind={kind} pageId={pageId} />;
}

function ContinuedDraft({ kind, pageId, id }: { kind: string; pageId: string; id: string }) {
  return <ComposeForm kind={kind} pageId={pageId} draftId={id} saved={useDraft(pageId, id) ?? undefined} />;
}
