import { lazy, Suspense } from 'react';
import { SituationDocument } from '../api/documents.ts';
import { useRead, useSessionEnd } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { NewActions } from '../layout/new-actions.tsx';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { Heads } from './heads.tsx';
import { countNotices, NoticeRows } from './notice-rows.tsx';
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
  const incidents = nodes.map(({ id, incidents, major }) => {
    const all = [...major.nodes, ...incidents.nodes].map(notice => [notice.id, notice] as const);
    return { page: find(id), totalCount: incidents.totalCount, nodes: [...new Map(all).values()] };
  });
  const maintenance = nodes.map(({ id, maintenance }) => ({ page: find(id), ...maintenance }));
  const major = countNotices(nodes.map(each => each.major));
  return (
    <>
      <Heads />
      <ScreenHeader title={summarize(countNotices(incidents), major, session.pages.length)}>
        <NewActions />
      </ScreenHeader>
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
          <NoticeRows parts={incidents} order="severity" />
        </Section>
      )}
      <Section title="Maintenance">
        {countNotices(maintenance) > 0 ? (
          <NoticeRows parts={maintenance} order="begin" />
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

/** "6 incidents are open, 1 major outage" */
function summarize(incidents: number, major: number, pages: number): string {
  if (!pages) return 'You have no page yet';
  if (incidents === 1) return major ? 'One incident is open, a major outage' : 'One incident is open';
  const worst = major ? `, ${major} major ${major === 1 ? 'outage' : 'outages'}` : '';
  if (incidents) return `${incidents} incidents are open${worst}`;
  return pages === 1 ? 'No incident is open' : `No incident is open on ${pages} pages`;
}
