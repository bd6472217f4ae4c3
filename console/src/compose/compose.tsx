import { useSearchParams } from 'wouter';
import { DraftDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { usePresentPage } from '../layout/present-page.tsx';
import { RequestError } from '../api/transport.ts';
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
  const { draft } = useRead(DraftDocument, { pageId, id });
  if (!draft) throw new RequestError('The draft does not exist, or was published or deleted.', 'NOT_FOUND');
  return <ComposeForm kind={kind} pageId={pageId} saved={draft} />;
}
