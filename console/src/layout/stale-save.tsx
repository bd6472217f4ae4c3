import { Button } from '../ui/button.tsx';
import styles from './stale-save.module.css';

export interface Difference {
  label: string;
  mine: string;
  theirs: string;
}

/** Both versions of what two people have changed, side by side: the second of them decides. */
export const StaleSave = ({
  differences,
  onMine,
  onTheirs,
}: {
  differences: Difference[];
  onMine: () => void;
  onTheirs: () => void;
}) => (
  <section role="alert" className={styles.stale} aria-label="Two versions">
    <p>Someone else changed this while you were editing. Your changes are not saved yet.</p>
    <table>
      <thead>
        <tr>
          <td />
          <th scope="col">Yours</th>
          <th scope="col">Theirs</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ label, mine, theirs }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{mine || '–'}</td>
            <td>{theirs || '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <div className={styles.buttons}>
      {/* Neither is the main one: each discards what somebody wrote. */}
      <Button onClick={onMine}>Save mine</Button>
      <Button onClick={onTheirs}>Use theirs</Button>
    </div>
  </section>
);
