import { useState } from 'react';
import { Link } from 'wouter';
import { TroubleDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { type SessionPage, useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { Section } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import styles from './home.module.css';

const dayMs = 86_400_000;
const refreshMs = 30_000;
const maxRows = 3;
/** The deliveries of each page are a request of their own. */
const maxPages = 20;

export const DeliveryTrouble = ({ pages }: { pages: SessionPage[] }) => (
  <>
    {pages.slice(0, maxPages).map(page => (
      <PageTrouble key={page.id} page={page} />
    ))}
    {pages.length > maxPages && (
      <Section title="Deliveries">
        <p className={styles.nothing}>
          Only the first {maxPages} of your {pages.length} pages are checked here. <em>Deliveries</em> of the others
          shows what was not delivered.
        </p>
      </Section>
    )}
  </>
);

/** Another one fails, or one that is retried fails for good. */
const outcomeOf = ({ id, state }: { id: string; state: string }) => `${id} ${state}`;

/** What was not delivered in the last day, with the words of the server that refused it: one row for an address. */
function PageTrouble({ page }: { page: SessionPage }) {
  const { email } = useSession();
  const [since] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const [hidden = [], hide] = useStored<string[]>(`trouble ${email} ${page.id}`);
  const { data } = useLazyRead(TroubleDocument, { pageId: page.id, since }, { intervalMs: refreshMs });
  const { totalCount: foundCount = 0, nodes: found = [] } = data?.deliveries ?? {};
  const nodes = found.filter(delivery => !hidden.includes(outcomeOf(delivery)));
  if (!nodes.length) return null;
  const totalCount = foundCount - found.length + nodes.length;
  const recipients = [...Map.groupBy(nodes, ({ channel, address }) => `${channel} ${address}`).values()];
  const all = `/pages/${page.id}/deliveries`;
  return (
    <Section title={`${totalCount} ${totalCount === 1 ? 'message' : 'messages'} of ${page.name} not delivered`}>
      <ul>
        {recipients.slice(0, maxRows).map(([latest, ...earlier]) => {
          const { id, state, address, subscriber, attempts } = latest!;
          return (
            <li key={id} className={styles.row}>
              <span>
                <Link href={`${all}?search=${encodeURIComponent(address)}`}>{address}</Link>
                {earlier.length > 0 && `, ${earlier.length + 1} messages`}
              </span>
              <StateLabel state={subscriber?.suspendedAt ? 'SUSPENDED' : state} />
              <span className={styles.reply}>{attempts.at(-1)?.response}</span>
            </li>
          );
        })}
      </ul>
      <div className={styles.tools}>
        {(recipients.length > maxRows || foundCount > nodes.length) && <Link href={all}>Show all deliveries</Link>}
        <Button look="quiet" onClick={() => hide(found.map(outcomeOf))}>
          Hide until another one fails
        </Button>
      </div>
    </Section>
  );
}
