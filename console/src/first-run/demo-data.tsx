import { CreateDemoDataDocument, DeleteDemoDataDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from './first-run.module.css';

/** Components and notices of a fictional company on the page, at a click, and gone at a click. */
export function DemoData({ pageId, hasDemoData }: { pageId: string; hasDemoData: boolean }) {
  const create = useWrite(CreateDemoDataDocument);
  const remove = useWrite(DeleteDemoDataDocument);
  const isPending = create.isPending || remove.isPending;
  return (
    <div className={styles.demo}>
      <p>
        {hasDemoData
          ? 'The page shows the components, notices and templates of a fictional company. Deleting them does not ' +
            'delete anything that you added.'
          : 'Fill the page with the components, incidents and templates of a fictional company. Nobody is notified. ' +
            'Visitors of the page see them until you delete them.'}
      </p>
      <FormError>{create.error?.message ?? remove.error?.message}</FormError>
      {hasDemoData ? (
        <ConfirmButton label="Delete the demonstration data" onConfirm={() => remove.mutate({ pageId })} />
      ) : (
        <Button disabled={isPending} onClick={() => create.mutate({ pageId })}>
          {isPending ? 'Adding …' : 'Add demonstration data'}
        </Button>
      )}
    </div>
  );
}
