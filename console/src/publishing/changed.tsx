import { useSession } from '../api/session.ts';
import { FormError } from '../ui/field.tsx';
import type { ChangedPreview } from './outbox.ts';
import { partNames, toSeen } from './seen-preview.ts';
import type { Previewed } from './use-preview.ts';
import styles from './publishing.module.css';

/** What the author had seen, beside what would be published now. The buttons below publish what is there now. */
export function Changed({ changed, previews }: { changed: ChangedPreview; previews: Previewed[] }) {
  const session = useSession();
  const now = toSeen(session, previews);
  return (
    <div className={styles.changed} role="alert">
      <FormError>{changed.message}</FormError>
      {changed.seen.map(({ pageId, parts: seen }) => {
        const current = now.find(each => each.pageId === pageId)?.parts;
        const different = partNames.filter(name => current && current[name] !== seen[name]);
        if (!current || !different.length) return null;
        return (
          <table key={pageId}>
            {changed.seen.length > 1 && <caption>{session.pages.find(({ id }) => id === pageId)?.name}</caption>}
            <thead>
              <tr>
                <td />
                <th scope="col">You had seen</th>
                <th scope="col">Now</th>
              </tr>
            </thead>
            <tbody>
              {different.map(name => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{seen[name]}</td>
                  <td>{current[name]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        );
      })}
    </div>
  );
}
