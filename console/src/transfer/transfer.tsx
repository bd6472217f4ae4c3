import { useMutation } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { saveBlob } from '../ui/files.ts';
import { ImportPage } from './import-page.tsx';
import { MoveHere } from './move-here.tsx';
import { fetchArchive } from './send.ts';
import listStyles from '../ui/list.module.css';
import styles from './transfer.module.css';

/** How a page leaves, and how what another product has of it arrives. */
/** Of a page, or without one for a page that is new here. */
export default ({ pageId }: { pageId: string }) => (pageId ? <Transfer pageId={pageId} /> : <ImportPage />);

function Transfer({ pageId }: { pageId: string }) {
  const name = useSession().pages.find(({ id }) => id === pageId)?.name;
  const download = useMutation({
    mutationFn: async () => saveBlob(`${pageId}.zip`, await fetchArchive(pageId)),
  });
  return (
    <>
      <ScreenHeader title="Import and export" above={name} />
      <Section title="Export this page">
        <p className={styles.intro}>
          The page with all that belongs to it, as one file for another installation of All Clear: components, history,
          subscribers, images, templates and roles. Keep it as secret as the database: it has the addresses of
          subscribers.
        </p>
        <WriteError error={download.error} />
        <div className={listStyles.buttons}>
          <Button look="primary" disabled={download.isPending} onClick={() => download.mutate()}>
            {download.isPending ? 'Exporting …' : 'Export this page'}
          </Button>
          {download.isSuccess && <span role="status">The archive was downloaded.</span>}
        </div>
      </Section>
      <Section title="Move here from another product">
        <p className={styles.intro}>
          Adds the components, the history and the subscribers of a page elsewhere to this page. You see what would be
          imported before anything is written, and nobody is notified. Run it as often as you like: what is here already
          is not added twice.
        </p>
        <MoveHere pageId={pageId} />
      </Section>
    </>
  );
}
