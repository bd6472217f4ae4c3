import { useState } from 'react';
import { ConfigureChannelDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { hintOf, kinds, type PageChannel } from './kinds.ts';

interface Props {
  pageId: string;
  channel: PageChannel;
  onClose: () => void;
}

/** Secrets are written and never read. They are not stored in the browser either, as other unsent text is. */
export function ConfigureChannel({ pageId, channel: { channel, isConfigured }, onClose }: Props) {
  const description = useSession().describeChannel(channel);
  const { label } = description;
  const { urlLabel, hasToken } = kinds[description.address];
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const write = useUnrepeatedWrite(ConfigureChannelDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['url', 'token']);
  const onSubmit = async () => {
    const input = { channel, url, ...(hasToken && token && { token }) };
    const { result } = await write.mutateAsync({ pageId, input });
    if (!result?.userErrors.length) onClose();
  };
  const title = isConfigured ? `Change ${label}` : `Set up ${label}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm action="Save" isDisabled={write.isPending} onSubmit={onSubmit} onClose={onClose}>
        <TextField
          label={urlLabel!}
          hint={hintOf(description)}
          type="url"
          autoComplete="off"
          autoFocus
          value={url}
          error={errors.url}
          onChange={event => setUrl(event.target.value)}
        />
        {hasToken && (
          <TextField
            label="Access token"
            hint={
              'With the scope write:statuses. It is stored, and never shown again.' +
              (isConfigured ? ' Empty: the present one stays, on the same server.' : '')
            }
            type="password"
            autoComplete="off"
            value={token}
            error={errors.token}
            onChange={event => setToken(event.target.value)}
          />
        )}
        <FormError>{write.error?.message ?? others}</FormError>
      </DialogForm>
    </Dialog>
  );
}
