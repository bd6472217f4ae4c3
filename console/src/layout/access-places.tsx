import { Link, useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import { listPlaces } from './places.ts';
import styles from './screen.module.css';

/** Who and what has access, and what they did: screens that lead to each other. */
export function AccessPlaces() {
  const [location] = useLocation();
  return (
    <nav aria-label="Access" className={styles.tabs}>
      {listPlaces(useSession(), 'access').map(({ label, href }) => (
        <Link key={label} href={href!} aria-current={location === href ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
