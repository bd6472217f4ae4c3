import type { FormEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import type { useImport } from './use-import.ts';
import listStyles from '../ui/list.module.css';
import styles from './transfer.module.css';

interface Props {
  write: Pick<ReturnType<typeof useImport>, 'share' | 'isPending' | 'isTried' | 'isDone' | 'error'>;
  isComplete: boolean;
  onSend: (dryRun: boolean) => void;
  fields: ReactNode;
  result: ReactNode;
  /** Where the import is, once it is done. */
  pageId: string | null | undefined;
}

/** The fields of an import, its report, and the button of the next step. */
export function ImportForm({ write, isComplete, onSend, fields, result, pageId }: Props) {
  const { share, isPending, isTried, isDone, error } = write;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onSend(!isTried);
  };
  return (
    <form className={listStyles.form} onSubmit={onSubmit}>
      {fields}
      {isPending && <progress className={styles.progress} aria-label="Import" value={share ?? undefined} />}
      {result}
      <WriteError error={error} />
      <div className={listStyles.buttons}>
        {isDone ? (
          pageId && <Link href={`/pages/${pageId}/notices`}>Look at the page</Link>
        ) : (
          <Button type="submit" look="primary" disabled={!isComplete || isPending}>
            {isPending ? 'Working …' : isTried ? 'Import' : 'Check what would be imported'}
          </Button>
        )}
      </div>
    </form>
  );
}
