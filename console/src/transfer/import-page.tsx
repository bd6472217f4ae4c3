import { ScreenHeader, Section } from '../layout/screen.tsx';
import { ImportArchive } from './import-archive.tsx';
import { MoveHere } from './move-here.tsx';
import styles from './transfer.module.css';

/** A page that exists elsewhere becomes a new page here. */
export function ImportPage() {
  return (
    <>
      <ScreenHeader title="Import a page" />
      <p className={styles.intro}>
        A new page with the components, the history and the subscribers that it has elsewhere. You see what would be
        imported before anything is written, and nobody is notified.
      </p>
      <Section title="From another product">
        <MoveHere pageId={null} />
      </Section>
      <Section title="From an archive of All Clear">
        <p className={styles.intro}>
          All of it is imported, or nothing. Ids and links stay the same, so an archive does not fit an installation
          that has the same ids already: what is there is listed, and nothing is written.
        </p>
        <ImportArchive />
      </Section>
    </>
  );
}
