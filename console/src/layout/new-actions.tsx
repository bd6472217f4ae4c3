import { Link } from 'wouter';
import { useSession } from '../api/session.ts';
import { Icon } from '../ui/icon.tsx';
import { listNewActions } from './places.ts';
import styles from './new-actions.module.css';

/** An incident, a maintenance or an announcement, each in one tap: on a phone within reach of the thumb. */
export function NewActions({ pageId }: { pageId?: string }) {
  const actions = listNewActions(useSession(), pageId);
  if (!actions.length) return null;
  return (
    <div className={styles.actions}>
      {actions.map(({ label, short, icon, key, href }) => (
        <Link key={label} href={href!} aria-label={label} aria-keyshortcuts={key} className={styles.action}>
          <Icon name={icon} />
          <span className={styles.long}>{label}</span>
          <span className={styles.short}>{short}</span>
        </Link>
      ))}
    </div>
  );
}
