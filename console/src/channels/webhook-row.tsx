import {
  DeleteWebhookDocument,
  ResumeWebhookDocument,
  TestWebhookDocument,
  type WebhookRowFragment,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatDistance, useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FormError } from '../ui/field.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import { formatNames } from './webhook-formats.ts';
import styles from './channels.module.css';

export type Webhook = WebhookRowFragment;

interface Props {
  webhook: Webhook;
  onEdit: () => void;
  onRotate: () => void;
}

const describeScope = (count: number) => {
  if (!count) return 'all notices';
  return count === 1 ? '1 component' : `${count} components`;
};

export function WebhookRow({ webhook, onEdit, onRotate }: Props) {
  const { id, host, format, componentIds, isSubscription, suspendedAt, suspensionReason } = webhook;
  const test = useWrite(TestWebhookDocument);
  const resume = useWrite(ResumeWebhookDocument);
  const remove = useWrite(DeleteWebhookDocument);
  const ofHost = <span className={styles.hidden}> {host}</span>;
  return (
    <section className={styles.webhook} aria-label={host}>
      <h3>{host}</h3>
      <p className={styles.hint}>
        {formatNames[format]} · {describeScope(componentIds.length)}
        {isSubscription && ' · subscribed by a visitor'}
      </p>
      {suspendedAt && (
        <>
          <p>
            <StateLabel state="SUSPENDED" />
          </p>
          <p>
            Nothing is sent to it: it did not accept a message for 75 hours, or is gone. Its last response:{' '}
            {suspensionReason}
          </p>
        </>
      )}
      <LastResult webhook={webhook} />
      <FormError>{(test.error ?? resume.error ?? remove.error)?.message}</FormError>
      <div className={styles.buttons}>
        {suspendedAt && (
          <Button look="primary" disabled={resume.isPending} onClick={() => resume.mutate({ id })}>
            Resume{ofHost}
          </Button>
        )}
        <Button disabled={test.isPending} onClick={() => test.mutate({ id })}>
          {test.isPending ? 'Sending …' : 'Test'}
          {ofHost}
        </Button>
        {!isSubscription && (
          <>
            <Button onClick={onEdit}>Change{ofHost}</Button>
            <Button onClick={onRotate}>Replace secret{ofHost}</Button>
          </>
        )}
        <ConfirmButton label="Delete" question={`Delete ${host}`} onConfirm={() => remove.mutate({ id })} />
      </div>
    </section>
  );
}

/** That of the newest message or of the test, whichever was later, in the words of the receiver. */
function LastResult({ webhook: { testedAt, testOutcome, testResponse, deliveries } }: { webhook: Webhook }) {
  const now = useNow();
  const delivery = deliveries.nodes[0];
  const attempt = delivery?.attempts.at(-1);
  const at = attempt?.recordedAt ?? delivery?.createdAt;
  const isTest = testedAt && (!at || testedAt > at);
  const time = isTest ? testedAt : at;
  if (!time) return <p className={styles.hint}>Nothing was sent to it yet</p>;
  const response = isTest ? testResponse : attempt?.response;
  return (
    <div className={styles.test}>
      <p>
        <StateLabel state={isTest ? `TEST_${testOutcome}` : delivery!.state} />
        <small>{formatDistance(time, now)}</small>
      </p>
      {response && <pre>{response}</pre>}
    </div>
  );
}
