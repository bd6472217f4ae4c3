import { toReadersClock } from '../api/times.ts';
import styles from './recurrence.module.css';

/** The days of the next 13 months on which a change of the clock leaves out, moves or ends an occurrence. */
export const ClockChanges = ({ changes }: { changes: readonly { description: string }[] }) =>
  changes.length > 0 && (
    <ul className={styles.changes} aria-label="Changes of the clock">
      {changes.map(({ description }) => (
        <li key={description}>{toReadersClock(description)}</li>
      ))}
    </ul>
  );
