import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { type NoticeRowFragment, SituationDocument } from '../api/documents.ts';
import { useRead, useSessionEnd } from '../api/hooks.ts';
import { type SessionPage, useSession } from '../api/session.ts';
import { ActionButton } from '../layout/actions.tsx';
import { listGlobalActions } from '../layout/places.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { NoticeRow } from '../notices/notice-row.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import styles from './home.module.css';

const CreatePage = lazy(() => import('../first-run/create-page.tsx'));
const Pending = lazy(() => import('./pending.tsx'));

const refreshMs = 10_000;

/** The situation of all pages: what is open, what comes, and what was not delivered. */
export function Home() {
  const session = useSession();
  return !session.pages.length && session.has('OWNER') ? <CreatePage /> : <Situation />;
}

function Situation() {
  const session = useSession();
  const cursors = useCursors();
  const { viewer } = useRead(SituationDocument, { after: cursors.after }, { intervalMs: refreshMs });
  useSessionEnd(!viewer?.pages);
  // Not that no incident is open: nobody may see whether one is.
  if (!viewer?.pages) return null;
  const { nodes, pageInfo, totalCount } = viewer.pages;
  const find = (id: string) => session.pages.find(page => page.id === id);
  const incidents = nodes.map(({ id, incidents }) => ({ page: find(id), ...incidents }));
  const maintenance = nodes.map(({ id, maintenance }) => ({ page: find(id), ...maintenance }));
  const [report, schedule] = listGlobalActions(session);
  return (
    <>
      <ScreenHeader title={summarize(countNotices(incidents), session.pages.length)} />
      {report && schedule && (
        <div className={styles.actions}>
          <ActionButton action={report} look="primary" isLarge />
          <ActionButton action={schedule} isLarge />
        </div>
      )}
      {totalCount > nodes.length && (
        <>
          <p>
            {nodes.length} of the {totalCount} pages are shown on which something is open or planned.
          </p>
          <Pager cursors={cursors} pageInfo={pageInfo} />
        </>
      )}
      {countNotices(incidents) > 0 && (
        <Section title="Open incidents">
          <NoticeRows parts={incidents} />
        </Section>
      )}
      <Section title="Maintenance">
        {countNotices(maintenance) > 0 ? (
          <NoticeRows parts={maintenance} isByBegin />
        ) : (
          <p className={styles.nothing}>No maintenance is planned or in progress.</p>
        )}
      </Section>
      <Suspense>
        <Pending />
      </Suspense>
    </>
  );
}

/** The notices of one page: the first of them, and how many there are. */
interface Part {
  page: SessionPage | undefined;
  totalCount: number;
  nodes: NoticeRowFragment[];
}

const countNotices = (parts: Part[]) => parts.reduce((sum, { totalCount }) => sum + totalCount, 0);

function NoticeRows({ parts, isByBegin = false }: { parts: Part[]; isByBegin?: boolean }) {
  const rows = parts.flatMap(({ page, nodes }) => nodes.map(notice => ({ notice, page })));
  if (isByBegin) rows.sort((one, other) => beginOf(one.notice).localeCompare(beginOf(other.notice)));
  return (
    <ul>
      {rows.map(({ notice, page }) => (
        <NoticeRow key={notice.id} notice={notice} page={page} />
      ))}
      {parts.map(
        ({ page, totalCount, nodes }) =>
          totalCount > nodes.length && (
            <li key={page?.id} className={styles.rest}>
              <Link href={`/pages/${page?.id}/notices`}>
                {totalCount - nodes.length} more of {page?.name}
              </Link>
            </li>
          ),
      )}
    </ul>
  );
}

const beginOf = (notice: NoticeRowFragment): string => ('beginsAt' in notice ? notice.beginsAt : '');

function summarize(incidents: number, pages: number): string {
  if (!pages) return 'You have no page yet';
  if (incidents) return incidents === 1 ? 'One incident is open' : `${incidents} incidents are open`;
  return pages === 1 ? 'No incident is open' : `No incident is open on ${pages} pages`;
}
