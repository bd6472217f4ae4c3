import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import {
  type DeliveryFilter,
  DeliveriesDocument,
  DeliveryCountsDocument,
  ResendDeliveriesDocument,
} from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, Options, Select, TextField } from '../ui/field.tsx';
import { formatCount } from '../ui/format-count.ts';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { useSettled } from '../ui/use-settled.ts';
import { DeliveryRow } from './delivery-row.tsx';
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
  const [search, setSearch] = useState('');
  const text = useSettled(search.trim(), pauseMs);
  const cursors = useCursors();
  const publicationId = useSearchParams()[0].get('publication');
  const filter = {
    ...filters[name]![1],
    ...(text && { address: { cont: text } }),
    ...(publicationId && { publication: { id: { eq: publicationId } } }),
  };
  const counts = useLazyRead(DeliveryCountsDocument, { pageId }, { intervalMs: refreshMs }).data;
  const { data, error } = useLazyRead(
    DeliveriesDocument,
    { pageId, filter, after: cursors.after },
    { intervalMs: refreshMs },
  );
  const resend = useWrite(ResendDeliveriesDocument);
  const failed = counts?.failed?.totalCount ?? 0;
  const { totalCount = 0, nodes = [], pageInfo } = data?.deliveries ?? {};
  return (
    <>
      <ScreenHeader title="Deliveries" above={pages.find(({ id }) => id === pageId)?.name}>
        {failed > 0 && (
          <Button icon="history" disabled={resend.isPending} onClick={() => resend.mutate({ pageId })}>
            Resend all that failed
          </Button>
        )}
      </ScreenHeader>
      {counts && (
        <p className={styles.quiet} role="status">
          {formatCount(counts.waiting?.totalCount ?? 0)} waiting, {formatCount(counts.retrying?.totalCount ?? 0)}{' '}
          retrying, {formatCount(failed)} failed
        </p>
      )}
      {resend.data?.result?.count != null && (
        <p role="status" className={styles.status}>
          {formatCount(resend.data.result.count)} messages are sent again, the latest of each notice.
        </p>
      )}
      <FormError>{resend.error?.message ?? error?.message}</FormError>
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
          <DeliveryRow key={delivery.id} pageId={pageId} delivery={delivery} />
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={pageInfo} />
    </>
  );
}
