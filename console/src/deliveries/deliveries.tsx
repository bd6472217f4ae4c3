import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { type DeliveryFilter, DeliveriesDocument, DeliveryCountsDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Loading, ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, Options, Select, TextField } from '../ui/field.tsx';
import { formatCount } from '../ui/format-count.ts';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { useSettled } from '../ui/use-settled.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { ResendDialog } from './resend.tsx';
import styles from '../ui/list.module.css';

const pauseMs = 300;

const refreshMs = 5_000;
const filters: Record<string, [label: string, filter: DeliveryFilter]> = {
  all: ['All', {}],
  failed: ['Failed', { state: { eq: 'DEAD' } }],
  retrying: ['Retrying', { state: { eq: 'RETRYING' } }],
  waiting: ['Waiting', { state: { in: ['PENDING', 'SENDING'] } }],
  sent: ['Sent', { state: { eq: 'SENT' } }],
  skipped: ['Not sent', { state: { eq: 'SKIPPED' } }],
};

/** The ledger of a page: each message, to whom, and what the server at the other end said. */
export default function Deliveries({ pageId }: { pageId: string }) {
  const { pages } = useSession();
  const [name, setName] = useState('all');
  const [parameters] = useSearchParams();
  const [search, setSearch] = useState(parameters.get('search') ?? '');
  const text = useSettled(search.trim(), pauseMs);
  const cursors = useCursors();
  const publicationId = parameters.get('publication');
  const found = {
    ...(text && { address: { cont: text } }),
    ...(publicationId && { publication: { id: { eq: publicationId } } }),
  };
  const filter = { ...filters[name]![1], ...found };
  const counts = useLazyRead(DeliveryCountsDocument, { pageId }, { intervalMs: refreshMs }).data;
  const { data, error } = useLazyRead(
    DeliveriesDocument,
    { pageId, filter, after: cursors.after },
    { intervalMs: refreshMs },
  );
  const [resend, setResend] = useState<DeliveryFilter>();
  const [resent, setResent] = useState(0);
  const [waiting, retrying, failed] = [counts?.waiting, counts?.retrying, counts?.failed].map(
    each => each?.totalCount ?? 0,
  ) as [number, number, number];
  const { totalCount = 0, nodes = [], pageInfo } = data?.deliveries ?? {};
  return (
    <>
      <ScreenHeader title="Deliveries" above={pages.find(({ id }) => id === pageId)?.name}>
        {failed > 0 && (
          <Button icon="history" onClick={() => setResend(found)}>
            {text || publicationId ? 'Resend those that failed' : 'Resend all that failed'}
          </Button>
        )}
      </ScreenHeader>
      <p className={styles.quiet} role="status">
        {counts
          ? `${formatCount(waiting)} waiting, ${formatCount(retrying)} retrying, ${formatCount(failed)} failed`
          : '\u00a0'}
      </p>
      {resent > 0 && (
        <p role="status" className={styles.status}>
          {resent === 1 ? 'One message is' : `${formatCount(resent)} messages are`} sent again.
        </p>
      )}
      <FormError>{error?.message}</FormError>
      <div className={styles.filters}>
        <TextField
          label="Search by address"
          type="search"
          value={search}
          onChange={event => {
            setSearch(event.target.value);
            cursors.restart();
          }}
        />
        <Select
          label="Show"
          value={name}
          onChange={event => {
            setName(event.target.value);
            cursors.restart();
          }}
        >
          <Options of={Object.entries(filters).map(([value, [label]]) => [value, label])} />
        </Select>
      </div>
      {publicationId && (
        <p className={styles.quiet}>
          These belong to one publication. <Link href={`/pages/${pageId}/deliveries`}>Show all deliveries</Link>
        </p>
      )}
      {!data && !error && <Loading />}
      {data && !totalCount && (
        <p className={styles.quiet}>
          {name === 'all' && !text && !publicationId ? (
            <>
              Every message to a subscriber or a channel is listed here, with its outcome.{' '}
              <Link href={`/new/incident?page=${pageId}`}>Report an incident</Link> to send the first.
            </>
          ) : (
            'No deliveries match. Show all of them, or search for another address.'
          )}
        </p>
      )}
      <ul>
        {nodes.map(delivery => (
          <DeliveryRow
            key={delivery.id}
            pageId={pageId}
            delivery={delivery}
            onResend={() => setResend({ id: { eq: delivery.id } })}
          />
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={pageInfo} />
      {resend && (
        <ResendDialog
          pageId={pageId}
          filter={resend}
          onClose={() => setResend(undefined)}
          onResent={count => {
            setResend(undefined);
            setResent(count);
          }}
        />
      )}
    </>
  );
}
