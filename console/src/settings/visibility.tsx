import { type FormEvent, useState } from 'react';
import { type PageSettingsQuery, type PageVisibility, SetVisibilityDocument } from '../api/documents.ts';
import { useUnrepeatedWrite } from '../api/hooks.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, Options, Select, TextArea, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';

const meanings: Record<PageVisibility, string> = {
  PUBLIC: 'Everyone',
  UNLISTED: 'Anyone with the link. Search engines do not list the page',
  PASSWORD: 'Anyone with the password',
  EMAIL_DOMAIN: 'Anyone with an e-mail address at your domains, who enters a code',
  MEMBERS: 'People with a role on this page, who sign in',
};

const privateVisibilities: readonly PageVisibility[] = ['PASSWORD', 'EMAIL_DOMAIN', 'MEMBERS'];
const subscribersHint =
  'Subscribers by mail and SMS stay subscribed, even if they can no longer see the page. Review the list.';

/** Who sees the public page. The password is never read; a new one ends the access of all visitors. */
export function Visibility({ page }: { page: NonNullable<PageSettingsQuery['page']> }) {
  const [visibility, setVisibility] = useState(page.visibility);
  const [password, setPassword] = useState('');
  const [domains, setDomains] = useState(page.emailDomains.join('\n'));
  const write = useUnrepeatedWrite(SetVisibilityDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['visibility', 'password', 'emailDomains']);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const input = {
      visibility,
      ...(visibility === 'PASSWORD' && password && { password }),
      ...(visibility === 'EMAIL_DOMAIN' && { emailDomains: domains.split(/[\s,]+/).filter(Boolean) }),
    };
    const { result } = await write.mutateAsync({ pageId: page.id, input });
    if (!result?.userErrors.length) setPassword('');
  };
  return (
    <form noValidate className={styles.form} onSubmit={event => void onSubmit(event).catch(() => {})}>
      <Select
        label="Who can see the page"
        hint={privateVisibilities.includes(visibility) && subscribersHint}
        value={visibility}
        error={errors.visibility}
        onChange={event => setVisibility(event.target.value as PageVisibility)}
      >
        <Options of={Object.entries(meanings)} />
      </Select>
      {visibility === 'PASSWORD' && (
        <TextField
          label="Page password"
          hint={
            page.visibility === 'PASSWORD'
              ? 'Leave empty to keep the current password. A new password ends the access of all visitors.'
              : 'At least 8 characters. Share it with your visitors.'
          }
          autoComplete="off"
          value={password}
          error={errors.password}
          onChange={event => setPassword(event.target.value)}
        />
      )}
      {visibility === 'EMAIL_DOMAIN' && (
        <TextArea
          label="Domains"
          hint="One per line, for example example.com. Subdomains are not included."
          value={domains}
          error={errors.emailDomains}
          onChange={event => setDomains(event.target.value)}
        />
      )}
      <WriteError error={write.error} />
      <FormError>{others}</FormError>
      {write.data && !write.data.result?.userErrors.length && <p role="status">Saved.</p>}
      <div className={styles.buttons}>
        <Button type="submit" disabled={write.isPending}>
          Save visibility
        </Button>
      </div>
    </form>
  );
}
