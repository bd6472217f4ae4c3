import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, FormError, TextField } from '../ui/field.tsx';
import { countSubscribers, formatCount } from '../ui/format-count.ts';
import { toFormErrors } from '../ui/field-errors.ts';
import { decodeText } from '../../../src/subscribers/lists/decode-text.ts';
import { type ImportResult, importParts } from './import-parts.ts';
import styles from '../ui/list.module.css';

/** A file is tried first, which writes nothing; the second press imports what the first has counted. */
export function ImportSubscribers({ pageId, onClose }: { pageId: string; onClose: () => void }) {
  const [csv, setCsv] = useState('');
  const [isUnreadable, setUnreadable] = useState(false);
  const [consentSource, setConsentSource] = useState('');
  const [share, setShare] = useState(0);
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: (dryRun: boolean) => importParts({ pageId, csv, consentSource, dryRun }, setShare),
    onSettled: () => client.invalidateQueries(),
  });
  const choose = async (file: File | undefined) => {
    write.reset();
    const text = file ? decodeText(new Uint8Array(await file.arrayBuffer())) : '';
    setUnreadable(text === null);
    setCsv(text ?? '');
  };
  const result = write.data;
  const { errors, others } = toFormErrors(result?.userErrors, ['csv', 'consentSource']);
  const isTried = result?.dryRun === true;
  const isDone = result?.dryRun === false;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate(!isTried);
  };
  return (
    <Dialog title="Import subscribers" onClose={onClose}>
      <p>A CSV file whose first line names the columns: email, phone_number, first_name, last_name, company.</p>
      <form className={styles.form} onSubmit={onSubmit}>
        <Field
          label="File"
          error={isUnreadable ? 'Its encoding is not known: save it as “CSV UTF-8” and choose it again.' : errors.csv}
        >
          {attributes => (
            <input
              {...attributes}
              type="file"
              accept=".csv,text/csv"
              onChange={event => void choose(event.target.files?.[0])}
            />
          )}
        </Field>
        <TextField
          label="Source of consent"
          hint="For example, “customer portal, November 2026”. It is stored with each subscriber."
          value={consentSource}
          error={errors.consentSource}
          onChange={event => setConsentSource(event.target.value)}
        />
        {write.isPending && <progress aria-label="Import" value={share} />}
        {result && !result.userErrors.length && <Counts result={result} />}
        <FormError>{write.error?.message ?? others}</FormError>
        <div className={styles.buttons}>
          {!isDone && (
            <Button type="submit" look="primary" disabled={!csv || write.isPending}>
              {isTried ? `Import ${countSubscribers((result.added ?? 0) + (result.renewed ?? 0))}` : 'Check the file'}
            </Button>
          )}
          <Button onClick={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function Counts({ result }: { result: ImportResult }) {
  const { rows, added, existing, repeated, left, problems, ignoredColumns, dryRun } = result;
  const counts = [
    [added, dryRun ? 'would be added' : 'were added'],
    [existing, 'there already'],
    [repeated, 'repeated in the file'],
    [left, 'unsubscribed before, and not added'],
  ] as const;
  return (
    <div role="status" className={styles.status}>
      <p>
        {formatCount(rows ?? 0)} rows:{' '}
        {counts
          .filter(([count]) => count)
          .map(([count, words]) => `${formatCount(count!)} ${words}`)
          .join(', ') || 'nothing to add'}
        .
      </p>
      {ignoredColumns!.length > 0 && <p>Columns that are not imported: {ignoredColumns!.join(', ')}.</p>}
      <ul>
        {problems?.slice(0, 10).map(({ line, column, message }) => (
          <li key={`${line} ${column}`}>
            Line {line}, {column}: {message.replaceAll('`', '')}
          </li>
        ))}
      </ul>
    </div>
  );
}
