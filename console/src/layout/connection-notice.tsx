import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ConnectionError } from '../api/transport.ts';
import styles from './shell.module.css';

/** Says that a screen is not kept up to date, where it would seem that nothing has happened. */
export function ConnectionNotice() {
  const cache = useQueryClient().getQueryCache();
  const isLost = useSyncExternalStore(
    onChange => cache.subscribe(onChange),
    () => cache.getAll().some(query => query.isActive() && query.state.error instanceof ConnectionError),
  );
  return (
    <div role="status">
      {isLost && <p className={styles.connection}>The service cannot be reached: what is shown may be out of date.</p>}
    </div>
  );
}
