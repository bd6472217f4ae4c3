import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { NoticeChangedDocument, NoticeDocument } from '../api/documents.ts';
import { useLive, useRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { RequestError } from '../api/transport.ts';
import { ScheduledList, useScheduledDrafts } from '../drafts/scheduled.tsx';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { Progress } from '../publishing/progress.tsx';
import { Correction } from './correction.tsx';
import { EditNotice } from './edit-notice.tsx';
import { Facts } from './facts.tsx';
import { Owner } from './owner.tsx';
import { Publications } from './publications.tsx';
import { Timeline } from './timeline.tsx';
import { UpdateBox, updateFieldId } from './update-box.tsx';
import styles from './notice.module.css';

/** One notice: how it stands, what comes next, what was said, and who was notified. */
export default function NoticeScreen({ pageId, id }: { pageId: string; id: string }) {
  const session = useSession();
  const client = useQueryClient();
  const [parameters, setParameters] = useSearchParams();
  const [isEditing, setEditing] = useState(false);
  const { notice } = useRead(NoticeDocument, { pageId, id });
  useLive(NoticeChangedDocument, { pageId, id }, () => client.invalidateQueries());
  const mayDraft = session.has('DRAFTER', pageId);
  const mayWrite = session.has('PUBLISHER', pageId);

  const actions: Action[] = [
    ...(mayDraft ? [{ label: 'Write an update', icon: 'edit', key: 'u', run: focusUpdate } as const] : []),
    ...(mayWrite ? [{ label: 'Edit', icon: 'edit', key: 'e', run: () => setEditing(true) } as const] : []),
  ];
  useActions(actions);
  if (!notice) throw new RequestError('The notice does not exist, or was deleted.', 'NOT_FOUND');
  const showPublication = (publication: string | undefined) => setParameters(publication ? { publication } : {});
  const publicationId = parameters.get('publication');
  const page = session.pages.find(each => each.id === pageId);
  return (
    <>
      <ScreenHeader
        title={notice.subject}
        above={<Link href={`/pages/${pageId}/notices`}>{page ? `${page.name}: notices` : 'Notices'}</Link>}
      >
        <a className={styles.public} href={notice.link} target="_blank" rel="noreferrer">
          Public page
        </a>
        {mayWrite && <ActionButton action={actions.at(-1)!} />}
      </ScreenHeader>
      {publicationId && (
        <Progress key={publicationId} pageId={pageId} publicationId={publicationId} mayStop={mayWrite} />
      )}
      {mayDraft && <NoticeSchedule pageId={pageId} noticeId={id} />}
      <Facts pageId={pageId} notice={notice} pageZone={page?.timezoneName} />
      {mayWrite && <Correction pageId={pageId} kind="components" id={id} onPublished={showPublication} />}
      <Owner pageId={pageId} notice={notice} mayAssign={mayWrite} />
      <div className={styles.columns}>
        {mayDraft && (
          <Section title="Update">
            <UpdateBox pageId={pageId} notice={notice} onPublished={showPublication} />
          </Section>
        )}
        <div>
          <Section title="Timeline">
            <Timeline pageId={pageId} notice={notice} mayEdit={mayWrite} onPublished={showPublication} />
          </Section>
          <Publications pageId={pageId} noticeId={id} />
        </div>
      </div>
      {isEditing && <EditNotice pageId={pageId} notice={notice} onClose={() => setEditing(false)} />}
    </>
  );
}

/** The updates that will be published by themselves. */
function NoticeSchedule(props: { pageId: string; noticeId: string }) {
  const drafts = useScheduledDrafts(props);
  return drafts.length > 0 && <ScheduledList drafts={drafts} />;
}

const focusUpdate = () => document.getElementById(updateFieldId)?.querySelector('textarea')?.focus();
