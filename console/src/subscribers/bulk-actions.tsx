import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { DeleteSubscribersDocument, SubscribersCsvDocument, UnsubscribeSubscribersDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { request } from '../api/transport.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FormError } from '../ui/field.tsx';
import { countSubscribers } from '../ui/format-count.ts';
import { saveCsv } from '../ui/files.ts';
import { BulkComponents } from './bulk-components.tsx';
import type { Selected } from './use-selection.ts';
import styles from '../ui/list.module.css';

interface Props extends Selected {
  pageId: string;
  /** How many the search matches; the offer to select them all. */
  totalCount: number;
  onSelectAll: () => void;
  /** Ends the selection, with what to say. */
  onDone: (result: string) => void;
}

/** What can be done with the selected subscribers. The service refuses it if they are not as many any more. */
export function BulkActions({ pageId, filter, count, totalCount, onSelectAll, onDone }: Props) {
  const client = useQueryClient();
  const [isChoosing, setChoosing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const unsubscribe = useWrite(UnsubscribeSubscribersDocument);
  const remove = useWrite(DeleteSubscribersDocument);
  const subscribers = countSubscribers(count);
  const run = (write: typeof unsubscribe | typeof remove, verb: string) =>
    void write
      .mutateAsync({ pageId, filter, expectedCount: count })
      .then(({ result }) => onDone(`${verb} ${countSubscribers(result?.count ?? 0)}.`))
      .catch((problem: Error) => {
        setFailure(problem.message);
        // Where there are more or fewer than were counted.
        void client.invalidateQueries();
      });
  const download = async () => {
    const { page } = await request(SubscribersCsvDocument, { pageId, filter });
    saveCsv('subscribers.csv', page?.subscribersCsv);
  };
  const isPending = unsubscribe.isPending || remove.isPending;
  return (
    <section className={styles.status} aria-label="Selection">
      <p role="status">{isPending ? `Changing ${subscribers} …` : `${subscribers} selected`}</p>
      <FormError>{failure}</FormError>
      <div className={styles.buttons}>
        {count < totalCount && <Button onClick={onSelectAll}>Select all {countSubscribers(totalCount)}</Button>}
        <Button onClick={() => setChoosing(true)}>Components</Button>
        <Button onClick={() => download().catch((problem: Error) => setFailure(problem.message))}>
          Export selection
        </Button>
        <ConfirmButton
          label="Unsubscribe"
          question={`Unsubscribe ${subscribers}`}
          onConfirm={() => run(unsubscribe, 'Unsubscribed')}
        />
        <ConfirmButton
          label="Delete"
          question={`Delete ${subscribers} and their history`}
          onConfirm={() => run(remove, 'Deleted')}
        />
        <Button look="quiet" onClick={() => onDone('')}>
          Clear
        </Button>
      </div>
      {isChoosing && (
        <Suspense>
          <BulkComponents
            pageId={pageId}
            filter={filter}
            count={count}
            onDone={onDone}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </section>
  );
}
