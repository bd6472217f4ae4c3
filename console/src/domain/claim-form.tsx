import type { FormEvent } from 'react';
import { SetDomainDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { useStored } from '../api/stored.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import styles from '../ui/list.module.css';

export function ClaimForm({ pageId }: { pageId: string }) {
  const [domain = '', setDomain] = useStored<string>(`domain ${pageId}`);
  const write = useWrite(SetDomainDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['domain']);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await write.mutateAsync({ pageId, input: { domain } });
    if (!result?.userErrors.length) setDomain(undefined);
  };
  return (
    <>
      <form className={styles.inline} onSubmit={event => void onSubmit(event).catch(() => {})}>
        <TextField
          label="Host name"
          hint="For example, status.example.com. Nothing changes until DNS confirms that the domain is yours."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={domain}
          error={errors.domain}
          onChange={event => setDomain(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={!domain.trim() || write.isPending}>
          Show the record
        </Button>
      </form>
      <WriteError error={write.error} />
      <FormError>{others}</FormError>
    </>
  );
}
