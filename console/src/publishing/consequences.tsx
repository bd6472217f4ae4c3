import { useSession } from '../api/session.ts';
import type { Previewed } from './use-preview.ts';
import { wordOf } from '../ui/state-label.tsx';
import styles from './publishing.module.css';

/** The states that follow, in words. */
export function Consequences({ previews }: { previews: Previewed[] }) {
  const { pages } = useSession();
  const changed = previews.filter(({ preview }) => preview?.components?.length);
  if (!changed.length) return null;
  return (
    <div className={styles.consequences}>
      {changed.map(({ pageId, preview }) => (
        <div key={pageId}>
          <h2>
            {previews.length > 1
              ? `What ${pages.find(({ id }) => id === pageId)?.name} will say`
              : 'What the page will say'}
          </h2>
          <ul>
            {[...Map.groupBy(preview!.components!, ({ after }) => after)].map(([state, components]) => (
              <li key={state}>
                <strong>{wordOf(state)}:</strong> {components.map(({ component }) => component?.name).join(', ')}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
