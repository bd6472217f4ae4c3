import type { ReactNode } from 'react';
import type { Outbox } from './outbox.ts';
import styles from './publishing.module.css';

interface Props {
  outbox: Pick<Outbox, 'state'>;
  children: ReactNode;
}

/** Disabled while what was written is sent: the form is reset when that is done, and a change would be lost. */
export const WrittenFields = ({ outbox, children }: Props) => (
  <fieldset className={styles.written} disabled={outbox.state !== 'idle'}>
    {children}
  </fieldset>
);
