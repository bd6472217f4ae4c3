import { useState } from 'react';
import {
  type Channel,
  type DeliveryFilter,
  PreviewResendDocument,
  type PreviewResendMutation,
  ResendDeliveriesDocument,
} from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { type Session, useSession } from '../api/session.ts';
import { describeReached } from '../publishing/audience.tsx';
import { ChannelTabs, Message } from '../publishing/previews.tsx';
import { selectMessage } from '../publishing/use-preview.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Options, Select } from '../ui/field.tsx';
import { formatCount } from '../ui/format-count.ts';
import { Excluded } from './excluded.tsx';
import styles from '../ui/list.module.css';
import publishing from '../publishing/publishing.module.css';

type Resend = NonNullable<PreviewResendMutation['result']>;

interface Props {
  pageId: string;
  /** Which failed deliveries are meant; all where it is empty. */
  filter: DeliveryFilter;
  onClose: () => void;
  /** With the number of messages that are sent again. */
  onResent: (count: number) => void;
}

const refreshMs = 20_000;

/** As each publication: who gets how many messages, and what they say, stands before the press. */
export function ResendDialog({ pageId, filter, onClose, onResent }: Props) {
  const session = useSession();
  const [channel, setChannel] = useState<Channel>();
  const [publicationId, setPublicationId] = useState<string>();
  const variables = { pageId, filter, ...selectMessage(channel ?? null) };
  const { data, error, refetch } = useLazyRead(PreviewResendDocument, variables, { intervalMs: refreshMs });
  const write = useWrite(ResendDeliveriesDocument);
  const result = data?.result;
  const publications = result?.publications ?? [];
  const shown = publications.find(each => each.publication?.id === publicationId) ?? publications[0];
  const tab = shown?.channels.find(each => each === channel) ?? shown?.channels[0];
  if (tab && tab !== channel) setChannel(tab);
  const label = result && describeResend(session, result);
  // It is refused where others have failed meanwhile: the next count has those.
  const resend = async () => {
    const done = (await write.mutateAsync({ pageId, filter, expectedCount: result?.count })).result;
    if (!done?.userErrors.length) onResent(countMessages(done?.audience));
  };
  const problem = error ?? write.error;
  return (
    <Dialog title="Resend what failed" onClose={onClose}>
      <Excluded pageId={pageId} excluded={result?.excluded ?? []} />
      {shown && tab && (
        <section className={publishing.previews} aria-label="Preview">
          {publications.length > 1 && (
            <Select
              label="Preview of"
              value={shown.publication?.id}
              onChange={event => setPublicationId(event.target.value)}
            >
              <Options of={publications.map(({ publication }) => [publication?.id ?? '', publication?.subject])} />
            </Select>
          )}
          <ChannelTabs channels={shown.channels} tab={tab} onTab={setChannel} />
          <Message pageId={pageId} messages={shown} tab={tab} />
        </section>
      )}
      <FormError>{problem?.message ?? result?.userErrors[0]?.message}</FormError>
      <div className={styles.buttons}>
        {label !== null && (
          <Button
            look="primary"
            disabled={!label || write.isPending}
            onClick={() => void resend().catch(() => refetch())}
          >
            {write.isPending ? 'Resending …' : (label ?? 'Resend')}
          </Button>
        )}
        <Button onClick={onClose}>{label === null ? 'Close' : 'Cancel'}</Button>
      </div>
    </Dialog>
  );
}

const countMessages = (audience: { count: number }[] | null | undefined): number =>
  audience?.reduce((sum, { count }) => sum + count, 0) ?? 0;

/** "Resend 3 messages to 2 people and Slack". Null: there is nothing to resend. */
function describeResend(session: Session, { audience }: Resend): string | null {
  const messages = countMessages(audience);
  const recipients = audience?.map(each => ({ ...each, count: each.recipientCount })) ?? [];
  const reached = describeReached(session, [{ audience: recipients }]);
  return messages ? `Resend ${messages === 1 ? '1 message' : `${formatCount(messages)} messages`} to ${reached}` : null;
}
