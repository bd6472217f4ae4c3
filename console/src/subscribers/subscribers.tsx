import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { type SubscriberFilter, SubscribersCsvDocument, SubscribersDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { request } from '../api/transport.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { Loading, ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { saveCsv } from '../ui/files.ts';
import { Checkbox, FormError, Options, Select, TextField } from '../ui/field.tsx';
import { countSubscribers } from '../ui/format-count.ts';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { useSettled } from '../ui/use-settled.ts';
import { AddSubscriber } from './add-subscriber.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { SubscriberStatistics } from './statistics.tsx';
import { ImportSubscribers } from './import-subscribers.tsx';
import { SubscriberDialog } from './subscriber.tsx';
import { useSelection } from './use-selection.ts';
import styles from '../ui/list.module.css';
import selectable from './selectable.module.css';

/** A search of a million subscribers takes up to 0.7 s: not one for each key. */
const pauseMs = 300;

const filters: Record<string, [label: string, toFilter: (text: string) => SubscriberFilter]> = {
  email: ['E-mail', text => ({ email: { cont: text } })],
  phone: ['Telephone', text => ({ phoneNumber: { cont: text } })],
  company: ['Company', text => ({ company: { cont: text } })],
};

const nobody =
  'There are no subscribers yet. Visitors subscribe on the page. You can add people who agreed, or import a list.';

/** Who is notified by e-mail and SMS, however many they are: the service searches, and the screen shows a part. */
export default function Subscribers({ pageId }: { pageId: string }) {
  const { pages } = useSession();
  const page = pages.find(({ id }) => id === pageId);
  const [field, setField] = useState('email');
  const [parameters] = useSearchParams();
  const [search, setSearch] = useState(parameters.get('search') ?? '');
  const text = useSettled(search.trim(), pauseMs);
  const [overlay, setOverlay] = useState<'add' | 'import' | { id: string }>();
  const [failure, setFailure] = useState<string>();
  const [result, setResult] = useState('');
  const cursors = useCursors();
  const filter = text ? filters[field]![1](text) : {};
  const { data, error, isPlaceholderData } = useLazyRead(SubscribersDocument, { pageId, filter, after: cursors.after });
  const { totalCount = 0, nodes = [], pageInfo } = data?.subscribers ?? {};
  const shownIds = nodes.map(({ id }) => id);
  const selection = useSelection(filter, totalCount, shownIds);
  const add: Action = { label: 'Add a subscriber', icon: 'plus', key: 'c', run: () => setOverlay('add') };
  useActions([add]);
  const download = async () => {
    const { page: exported } = await request(SubscribersCsvDocument, { pageId, filter: null });
    saveCsv('subscribers.csv', exported?.subscribersCsv);
  };
  return (
    <>
      <ScreenHeader title="Subscribers" above={page?.name}>
        <ActionButton action={add} look="primary" />
        <Button onClick={() => setOverlay('import')}>Import</Button>
        <Button onClick={() => download().catch((problem: Error) => setFailure(problem.message))}>Export</Button>
      </ScreenHeader>
      <FormError>{failure ?? error?.message}</FormError>
      <div className={styles.filters}>
        <TextField
          label="Search"
          type="search"
          value={search}
          onChange={event => {
            setSearch(event.target.value);
            cursors.restart();
          }}
        />
        <Select
          label="Field"
          value={field}
          onChange={event => {
            setField(event.target.value);
            cursors.restart();
          }}
        >
          <Options of={Object.entries(filters).map(([value, [label]]) => [value, label])} />
        </Select>
      </div>
      {!data && !error && <Loading />}
      {data && (
        <p className={styles.quiet} role="status">
          {[result, totalCount || text ? countSubscribers(totalCount) : nobody].filter(Boolean).join(' ')}
        </p>
      )}
      {nodes.length > 0 && (
        <Checkbox
          label={cursors.isFirst && !pageInfo?.hasNextPage ? 'Select all' : `Select these ${nodes.length}`}
          checked={shownIds.every(selection.has)}
          onChange={event => selection.select(shownIds, event.target.checked)}
        />
      )}
      {selection.count > 0 && !isPlaceholderData && (
        <BulkActions
          pageId={pageId}
          totalCount={totalCount}
          filter={selection.filter}
          count={selection.count}
          onSelectAll={selection.selectAll}
          onDone={text => {
            selection.clear();
            cursors.restart();
            setResult(text);
          }}
        />
      )}
      <ul>
        {nodes.map(({ id, email, phoneNumber, firstName, lastName, company, suspendedAt, componentIds }) => (
          <li key={id} className={selectable.selectable}>
            <input
              type="checkbox"
              aria-label={`Select ${email ?? phoneNumber}`}
              checked={selection.has(id)}
              onChange={event => selection.select([id], event.target.checked)}
            />
            <div className={styles.main}>
              <span>{[email, phoneNumber].filter(Boolean).join(', ')}</span>
              <small>
                {[
                  [firstName, lastName].filter(Boolean).join(' '),
                  company,
                  componentIds.length ? `${componentIds.length} components` : 'All components',
                  suspendedAt && 'suspended',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </div>
            <div className={styles.buttons}>
              <Button look="quiet" aria-label={`History of ${email ?? phoneNumber}`} onClick={() => setOverlay({ id })}>
                History
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={pageInfo} />
      {/* Above it, the list would push it down. */}
      {data && <SubscriberStatistics pageId={pageId} />}
      {overlay === 'add' && <AddSubscriber pageId={pageId} onClose={() => setOverlay(undefined)} />}
      {overlay === 'import' && <ImportSubscribers pageId={pageId} onClose={() => setOverlay(undefined)} />}
      {typeof overlay === 'object' && (
        <SubscriberDialog pageId={pageId} id={overlay.id} onClose={() => setOverlay(undefined)} />
      )}
    </>
  );
}
