import { useSession } from '../api/session.ts';
import { ScheduledList, useScheduledDrafts } from '../drafts/scheduled.tsx';
import { Section } from '../layout/screen.tsx';
import { DeliveryTrouble } from './delivery-trouble.tsx';

const refreshMs = 10_000;

/** What is to be published by itself, and what was not delivered. */
export default function Pending() {
  const session = useSession();
  return (
    <>
      {session.pagesWith('DRAFTER').length > 0 && <Scheduled />}
      <DeliveryTrouble pages={session.pagesWith('PUBLISHER')} />
    </>
  );
}

function Scheduled() {
  const drafts = useScheduledDrafts({ pageId: null, intervalMs: refreshMs });
  return (
    drafts.length > 0 && (
      <Section title="Waiting to be published">
        <ScheduledList drafts={drafts} />
      </Section>
    )
  );
}
