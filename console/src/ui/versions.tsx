import type { ReactNode } from 'react';
import styles from './versions.module.css';

interface Props {
  /** Who has saved theirs, and when, if it is known. */
  theirsTitle?: string;
  theirs: ReactNode;
  yours: ReactNode;
  children?: ReactNode;
}

/** Somebody else has saved meanwhile: both versions side by side, and below them what can be done. */
export const Versions = ({ theirsTitle = 'Theirs, as it is saved', theirs, yours, children }: Props) => (
  <div className={styles.versions} role="alert">
    <p>Somebody has changed this meanwhile. Nothing is lost: these are both versions.</p>
    <div className={styles.pair}>
      <section>
        <h2>{theirsTitle}</h2>
        {theirs}
      </section>
      <section>
        <h2>Yours, as it is in this form</h2>
        {yours}
      </section>
    </div>
    {children}
  </div>
);
