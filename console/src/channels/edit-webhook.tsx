import { Suspense, useState } from 'react';
import { CreateWebhookDocument, UpdateWebhookDocument, type WebhookFormat } from '../api/documents.ts';
import { useUnrepeatedWrite, useWrite } from '../api/hooks.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, Options, Select, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { ShownSecret } from './webhook-secret.tsx';
import { formatNames } from './webhook-formats.ts';
import type { Webhook } from './webhook-row.tsx';

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
  const { errors, others } = toFormErrors(created?.userErrors ?? update.data?.result?.userErrors, [
    'url',
    'componentIds',
  ]);
  const onSubmit = async () => {
    const choices = { format, componentIds: [...componentIds] };
    if (!webhook) return void create.mutate({ pageId, input: { url, ...choices } });
    const input = { ...choices, ...(url && { url }) };
    const { result } = await update.mutateAsync({ id: webhook.id, input });
    if (!result?.userErrors.length) onClose();
  };
  const title = webhook ? `Change ${webhook.host}` : 'Add a webhook';
  return (
    <Dialog title={title} onClose={onClose}>
      {created?.secret ? (
        <ShownSecret secret={created.secret} publicKey={created.webhook!.publicKey} onClose={onClose} />
      ) : (
        <DialogForm
          action={webhook ? 'Save' : 'Add'}
          isDisabled={create.isPending || update.isPending}
          onSubmit={onSubmit}
          onClose={onClose}
        >
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
            <Options of={Object.entries(formatNames)} />
          </Select>
          <Suspense fallback={<p>Loading the components …</p>}>
            <ComponentPicker
              pageId={pageId}
              legend="Components (none: all notices)"
              choice={Object.fromEntries(componentIds.map(id => [id, 'DEGRADED' as const]))}
              error={errors.componentIds}
              onChange={choice => setComponentIds(Object.keys(choice))}
            />
          </Suspense>
          <FormError>{(create.error ?? update.error)?.message ?? others}</FormError>
        </DialogForm>
      )}
    </Dialog>
  );
}
