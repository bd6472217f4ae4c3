import { useState } from 'react';
import { Link } from 'wouter';
import { EndRecurrenceDocument, RecurrencesDocument, UpcomingOccurrencesDocument } from '../api/documents.ts';
import { useLazyRead, useRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatTime, toReadersClock } from '../api/times.ts';
import { ScreenBoundary, ScreenHeader } from '../layout/screen.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import list from '../ui/list.module.css';
import { ClockChanges } from './clock-changes.tsx';
import { MoveOccurrence, SkipOccurrence } from './change-occurrence.tsx';
import { EditSeries, type Occurrence, type Series } from './edit-series.tsx';
import styles from './recurrence.module.css';

/** The maintenance of a page that repeats, with what comes next. */
export default function Recurring({ pageId }: { pageId: string }) {
  const session = useSession();
  const { recurrences } = useRead(RecurrencesDocument, { pageId });
  const series = recurrences?.nodes ?? [];
  return (
    <>
      <ScreenHeader title="Recurring maintenance" above={session.pages.find(({ id }) => id === pageId)?.name}>
        {session.has('DRAFTER', pageId) && (
          <ButtonLink href={`/new/maintenance?page=${pageId}`} icon="plus" look="primary">
            Schedule maintenance
          </ButtonLink>
        )}
      </ScreenHeader>
      {series.length > 0 && <p className={list.quiet}>Dates are in your time zone.</p>}
      {!series.length && (
        <p className={list.quiet}>
          Nothing repeats yet. When you schedule maintenance, choose how it repeats: each occurrence becomes a notice of
          its own, at most 30 days before it begins.
        </p>
      )}
      {series.map(recurrence => (
        <SeriesSection
          key={recurrence.id}
          pageId={pageId}
          recurrence={recurrence}
          mayWrite={session.has('PUBLISHER', pageId)}
        />
      ))}
    </>
  );
}

interface Props {
  pageId: string;
  recurrence: Series;
  mayWrite: boolean;
}

function SeriesSection({ pageId, recurrence, mayWrite }: Props) {
  const { id, subject, rule, nextOccurrenceAt } = recurrence;
  const upcoming = useLazyRead(UpcomingOccurrencesDocument, { pageId, id }).data?.upcomingOccurrences;
  const [isEditing, setEditing] = useState(false);
  const [changed, setChanged] = useState<{ occurrence: Occurrence; Change: typeof MoveOccurrence }>();
  const end = useWrite(EndRecurrenceDocument);
  const occurrences = upcoming?.occurrences ?? [];
  const close = () => setChanged(undefined);
  return (
    <section className={styles.series} aria-label={subject}>
      <div className={styles.head}>
        <div>
          <h2>{subject}</h2>
          <p>
            {nextOccurrenceAt || rule === null ? toReadersClock(upcoming?.description ?? '') : 'No longer repeats.'}
          </p>
        </div>
        {mayWrite && nextOccurrenceAt && (
          <div className={list.buttons}>
            <Button look="quiet" onClick={() => setEditing(true)}>
              Edit all
            </Button>
            <ConfirmButton
              label="End"
              question="Stop repeating; planned notices stay"
              onConfirm={() => end.mutate({ pageId, id })}
            />
          </div>
        )}
      </div>
      <FormError>{end.error?.message}</FormError>
      <ul className={styles.occurrences} aria-label={`Next occurrences of ${subject}`}>
        {occurrences.map(occurrence => (
          <li key={occurrence.occursAt} className={list.row}>
            <div className={list.main}>
              <span>{formatTime(occurrence.beginsAt)}</span>
              {occurrence.beginsAt !== occurrence.occursAt && (
                <small>Moved from {formatTime(occurrence.occursAt)}</small>
              )}
            </div>
            {occurrence.noticeId ? (
              <Link href={`/pages/${pageId}/notices/${occurrence.noticeId}`}>On the page</Link>
            ) : (
              <small className={styles.later}>Not on the page yet</small>
            )}
            {mayWrite && (
              <div className={list.buttons}>
                <Button
                  look="quiet"
                  aria-label={`Move ${formatTime(occurrence.beginsAt)}`}
                  onClick={() => setChanged({ occurrence, Change: MoveOccurrence })}
                >
                  Move
                </Button>
                <Button
                  look="quiet"
                  aria-label={`Skip ${formatTime(occurrence.beginsAt)}`}
                  onClick={() => setChanged({ occurrence, Change: SkipOccurrence })}
                >
                  Skip
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <ClockChanges changes={upcoming?.clockChanges ?? []} />
      {isEditing && (
        <Dialog title="Edit all occurrences" heading="Edit all occurrences to come" onClose={() => setEditing(false)}>
          <ScreenBoundary isPart>
            <EditSeries pageId={pageId} id={id} onClose={() => setEditing(false)} />
          </ScreenBoundary>
        </Dialog>
      )}
      {changed && (
        <changed.Change pageId={pageId} series={recurrence} occurrence={changed.occurrence} onClose={close} />
      )}
    </section>
  );
}
