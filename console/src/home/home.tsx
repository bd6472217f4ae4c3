import { lazy } from 'react';
import { type NoticeRowFragment, SituationDocument } from '../api/documents.ts';
import { useRead, useSessionEnd } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { ActionButton } from '../layout/actions.tsx';
import { listGlobalActions } from '../layout/places.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { NoticeRow } from '../notices/notice-row.tsx';
import { DeliveryTrouble } from './delivery-trouble.tsx';
import styles from './home.module.css';

const CreatePage = lazy(() => import('../first-run/create-page.tsx'));

const refreshMs = 10_000;

/** The situation of all pages: what is open, what comes, and what was not delivered. */
export function Home() {
  const session = useSession();
  return !session.pages.length && session.has('OWNER') ? <CreatePage /> : <Situation />;
}

function Situation() {
  const session = useSession();
  const { viewer } = useRead(SituationDocument, {}, { intervalMs: refreshMs });
  useSessionEnd(!viewer?.pages);
  // Not that no incident is open: nobody may see whether one is.
  if (!viewer?.pages) return null;
  const notices = viewer.pages.nodes.flatMap(({ id, notices }) =>
    notices.nodes.map(notice => ({ notice, page: session.pages.find(page => page.id === id) })),
  );
  const incidents = notices.filter(({ notice }) => notice.type === 'UNPLANNED');
  const maintenance = notices
    .filter(({ notice }) => notice.__typename === 'PlannedNotice')
    .sort((one, other) => beginOf(one.notice).localeCompare(beginOf(other.notice)));
  const [report, schedule] = listGlobalActions(session);
  return (
    <>
      <ScreenHeader title={summarize(incidents.length, session.pages.length)} />
      {report && schedule && (
        <div className={styles.actions}>
          <ActionButton action={report} look="primary" isLarge />
          <ActionButton action={schedule} isLarge />
        </div>
      )}
      {incidents.length > 0 && (
        <Section title="Open incidents">
          <ul>
            {incidents.map(({ notice, page }) => (
              <NoticeRow key={notice.id} notice={notice} page={page} />
            ))}
          </ul>
        </Section>
      )}
      <Section title="Maintenance">
        {maintenance.length ? (
          <ul>
            {maintenance.map(({ notice, page }) => (
              <NoticeRow key={notice.id} notice={notice} page={page} />
            ))}
          </ul>
        ) : (
          <p className={styles.nothing}>None is running or planned.</p>
        )}
      </Section>
      <DeliveryTrouble pages={session.pagesWith('PUBLISHER')} />
    </>
  );
}

const beginOf = (notice: NoticeRowFragment): string => ('beginsAt' in notice ? notice.beginsAt : '');

function summarize(incidents: number, pages: number): string {
  if (!pages) return 'There is no page yet';
  if (incidents) return incidents === 1 ? 'One incident is open' : `${incidents} incidents are open`;
  return pages === 1 ? 'No incident is open' : `No incident is open on ${pages} pages`;
}
