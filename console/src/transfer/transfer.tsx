import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { saveBlob } from '../ui/files.ts';
import { ImportPage } from './import-page.tsx';
import { MoveHere } from './move-here.tsx';
import { fetchArchive } from './send.ts';
import listStyles from '../ui/list.module.css';
import styles from './transfer.module.css';

const secretsHint =
  'Includes what is secret, encrypted by the passphrase: webhooks, the chats and browsers of visitors, and access to ' +
  'channels, alert sources and a private page. At least 12 characters. Without one, secrets are not exported.';

/** How a page leaves, and how what another product has of it arrives. */
/** Of a page, or without one for a page that is new here. */
export default ({ pageId }: { pageId: string }) => (pageId ? <Transfer pageId={pageId} /> : <ImportPage />);

function Transfer({ pageId }: { pageId: string }) {
  const session = useSession();
  const name = session.pages.find(({ id }) => id === pageId)?.name;
  const [passphrase, setPassphrase] = useState('');
  const download = useMutation({
    mutationFn: async () => saveBlob(`${pageId}.zip`, await fetchArchive(pageId, passphrase)),
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
        <form
          className={listStyles.form}
          onSubmit={event => {
            event.preventDefault();
            download.mutate();
          }}
        >
          {session.has('OWNER') && (
            <TextField
              label="Passphrase (optional)"
              hint={secretsHint}
              autoComplete="off"
              spellCheck={false}
              minLength={12}
              value={passphrase}
              onChange={event => {
                download.reset();
                setPassphrase(event.target.value);
              }}
            />
          )}
          <WriteError error={download.error} />
          <div className={listStyles.buttons}>
            <Button type="submit" look="primary" disabled={download.isPending}>
              {download.isPending ? 'Exporting …' : 'Export this page'}
            </Button>
            {download.isSuccess && <span role="status">The archive was downloaded.</span>}
          </div>
        </form>
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
