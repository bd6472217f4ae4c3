import type { Preview } from '../publishing/audience.tsx';
import { wordOf } from '../ui/state-label.tsx';
import styles from './compose.module.css';

/** The states that follow, in words. */
export function Consequences({ preview }: { preview: Preview | undefined }) {
  const changes = preview?.components ?? [];
  if (!changes.length) return null;
  const byState = Map.groupBy(changes, ({ after }) => after);
  return (
    <div className={styles.consequences}>
      <h2>What the page will say</h2>
      <ul>
        {[...byState].map(([state, components]) => (
          <li key={state}>
            <strong>{wordOf(state)}:</strong> {components.map(({ component }) => component?.name).join(', ')}
          </li>
        ))}
      </ul>
    </div>
  );
}
