import { useState } from 'react';
import { SwitchChannelDocument, WebhooksDocument } from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { type PageChannel, switchName } from './kinds.ts';
import { RotateSecret } from './webhook-secret.tsx';
import { type Webhook, WebhookRow } from './webhook-row.tsx';
import styles from './channels.module.css';

type Open = { dialog: 'edit'; webhook?: Webhook } | { dialog: 'rotate'; webhook: Webhook };

/** The programs that are sent the notices of the page. */
export function Webhooks({ pageId, channel: { channel, isActive } }: { pageId: string; channel: PageChannel }) {
  const read = useRead(WebhooksDocument, { pageId });
  const webhooks = [...(read.webhooks?.nodes ?? []), ...(read.suspended?.nodes ?? [])];
  const subscribedCount = read.subscribed?.totalCount ?? 0;
  const change = useWrite(SwitchChannelDocument);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <li className={styles.row}>
      <h2>
        <Icon name="globe" /> Webhooks
      </h2>
      <div className={styles.content}>
        <p className={styles.state}>
          <StateLabel state={isActive ? 'ON' : 'OFF'} />
        </p>
        <p>Programs that are sent each notice as JSON, with a signature. Visitors can subscribe theirs on the page.</p>
        {subscribedCount > 0 && <p>Subscribed by visitors: {subscribedCount}</p>}
        {webhooks.map(webhook => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            onEdit={() => setOpen({ dialog: 'edit', webhook })}
            onRotate={() => setOpen({ dialog: 'rotate', webhook })}
          />
        ))}
        <FormError>{change.error?.message}</FormError>
        <div className={styles.buttons}>
          <Button icon="plus" onClick={() => setOpen({ dialog: 'edit' })}>
            Add a webhook
          </Button>
          <Button
            look="quiet"
            disabled={change.isPending}
            onClick={() => change.mutate({ id: pageId, input: { [switchName(channel)]: !isActive } })}
          >
            {isActive ? 'Switch off' : 'Switch on'}
            <span className={styles.hidden}> webhooks</span>
          </Button>
        </div>
      </div>
      {open?.dialog === 'edit' && <EditWebhook pageId={pageId} webhook={open.webhook} onClose={close} />}
      {open?.dialog === 'rotate' && <RotateSecret webhook={open.webhook} onClose={close} />}
    </li>
  );
}
