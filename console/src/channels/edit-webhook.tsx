import { type FormEvent, Suspense, useState } from 'react';
import { CreateWebhookDocument, UpdateWebhookDocument, type WebhookFormat } from '../api/documents.ts';
import { useUnrepeatedWrite, useWrite } from '../api/hooks.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, Select, TextField } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import { ShownSecret } from './webhook-secret.tsx';
import { formatNames } from './webhook-formats.ts';
import type { Webhook } from './webhook-row.tsx';
import styles from '../ui/list.module.css';

interface Props {
  pageId: string;
  /** Absent: a new one. */
  webhook?: Webhook;
  onClose: () => void;
}

/** The URL is written and never read: it is not stored in the browser, as other unsent text is. */
export function EditWebhook({ pageId, webhook, onClose }: Props) {
  const [url, setUrl] = useState('');
  const [format, setFormat] = useState<WebhookFormat>(webhook?.format ?? 'STANDARD');
  const [componentIds, setComponentIds] = useState<readonly string[]>(webhook?.componentIds ?? []);
  const create = useUnrepeatedWrite(CreateWebhookDocument);
  const update = useWrite(UpdateWebhookDocument);
  const created = create.data?.result;
  const errors = toFieldErrors(created?.userErrors ?? update.data?.result?.userErrors ?? []);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const choices = { format, componentIds: [...componentIds] };
    if (!webhook) return void create.mutate({ pageId, input: { url, ...choices } });
    const input = { ...choices, ...(url && { url }) };
    const { result } = await update.mutateAsync({ id: webhook.id, input });
    if (!result?.userErrors.length) onClose();
  };
  const title = webhook ? `Change ${webhook.host}` : 'Add a webhook';
  return (
    <Dialog title={title} onClose={onClose}>
      <h2>{title}</h2>
      {created?.secret ? (
        <ShownSecret secret={created.secret} publicKey={created.webhook!.publicKey} onClose={onClose} />
      ) : (
        <form noValidate className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})}>
          <TextField
            label="Address"
            hint={
              'The URL of your program. It is a secret: it is stored, and never shown again.' +
              (webhook ? ' Empty: the present one stays.' : '')
            }
            type="url"
            autoComplete="off"
            autoFocus
            value={url}
            error={errors.url}
            onChange={event => setUrl(event.target.value)}
          />
          <Select label="Format" value={format} onChange={event => setFormat(event.target.value as WebhookFormat)}>
            {Object.entries(formatNames).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
          <p className={styles.quiet}>Choose components, or none for all notices.</p>
          <Suspense fallback={<p>Loading the components …</p>}>
            <ComponentPicker
              pageId={pageId}
              choice={Object.fromEntries(componentIds.map(id => [id, 'DEGRADED' as const]))}
              error={errors.componentIds}
              onChange={choice => setComponentIds(Object.keys(choice))}
            />
          </Suspense>
          <FormError>{(create.error ?? update.error)?.message ?? errors['']}</FormError>
          <div className={styles.buttons}>
            <Button type="submit" look="primary" disabled={create.isPending || update.isPending}>
              {webhook ? 'Save' : 'Add'}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
