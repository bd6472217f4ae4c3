import { Link } from 'wouter';
import { DeleteDraftDocument, DraftsDocument } from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FormError } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { describeDraft, getDraftState, toForm, verbNames } from './links.ts';
import { ScheduleStatus } from './scheduled.tsx';
import styles from '../ui/list.module.css';

/** What is prepared on a page and not published, newest first. */
export default function Drafts({ pageId }: { pageId: string }) {
  const { pages } = useSession();
  const cursors = useCursors();
  const { data, error } = useLazyRead(DraftsDocument, { pageId, after: cursors.after });
  const remove = useWrite(DeleteDraftDocument);
  const { nodes = [], pageInfo, totalCount } = data?.drafts ?? {};
  return (
    <>
      <ScreenHeader title="Drafts" above={pages.find(({ id }) => id === pageId)?.name} />
      <FormError>{error?.message ?? remove.error?.message}</FormError>
      {totalCount === 0 && (
        <p className={styles.quiet}>
          There are no drafts. To prepare a notice or to have it reviewed,{' '}
          <Link href={`/new/incident?page=${pageId}`}>write it</Link> and choose <em>Save as a draft</em>.
        </p>
      )}
      <ul>
        {nodes.map(draft => {
          const { id, verb, notice, content } = draft;
          const state = getDraftState(draft);
          const subject = draft.subject ?? notice?.subject ?? 'Without a subject';
          return (
            <li key={id} className={styles.row}>
              <div className={styles.main}>
                <Link href={`/pages/${pageId}/drafts/${id}`}>{subject}</Link>
                {state && <StateLabel state={state} />}
                <small>
                  {verbNames[verb]} · {describeDraft(draft)}
                </small>
                {content && <small>{content.slice(0, 120)}</small>}
                <ScheduleStatus draft={draft} />
              </div>
              <div className={styles.buttons}>
                <ButtonLink
                  look="quiet"
                  href={toForm(pageId, id, { verb, noticeId: notice?.id })}
                  aria-label={`Continue ${subject}`}
                >
                  Continue
                </ButtonLink>
                <ConfirmButton
                  label="Delete"
                  question="Delete this draft"
                  onConfirm={() => remove.mutate({ pageId, id })}
                />
              </div>
            </li>
          );
        })}
      </ul>
      <Pager cursors={cursors} pageInfo={pageInfo} />
    </>
  );
}
