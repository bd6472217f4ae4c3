import { useState } from 'react';
import { TroubleDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import type { SessionPage } from '../api/session.ts';
import { Section } from '../layout/screen.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import styles from './home.module.css';

const dayMs = 86_400_000;
const refreshMs = 30_000;
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

/** What was not delivered in the last day, with the words of the server that refused it. */
function PageTrouble({ page }: { page: SessionPage }) {
  const [since] = useState(() => new Date(Date.now() - dayMs).toISOString());
  const { data } = useLazyRead(TroubleDocument, { pageId: page.id, since }, { intervalMs: refreshMs });
  const { totalCount = 0, nodes = [] } = data?.deliveries ?? {};
  if (!totalCount) return null;
  return (
    <Section title={`${totalCount} ${totalCount === 1 ? 'message' : 'messages'} of ${page.name} not delivered`}>
      <ul>
        {nodes.map(({ id, state, address, attempts }) => (
          <li key={id} className={styles.row}>
            <span>{address}</span>
            <StateLabel state={state} />
            <span className={styles.reply}>{attempts.at(-1)?.response}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
