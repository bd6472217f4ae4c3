import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ConnectionError } from '../api/transport.ts';
import styles from './shell.module.css';

const followNetwork = (onChange: () => void) => onlineManager.subscribe(onChange);

/** Says that a screen is not kept up to date, where it would seem that nothing has happened. */
export function ConnectionNotice() {
  const cache = useQueryClient().getQueryCache();
  const isOnline = useSyncExternalStore(followNetwork, () => onlineManager.isOnline());
  const isLost = useSyncExternalStore(
    onChange => cache.subscribe(onChange),
    () => cache.getAll().some(query => query.isActive() && query.state.error instanceof ConnectionError),
  );
  const cause = isOnline ? isLost && 'The service cannot be reached.' : 'You are offline.';
  return (
    <div role="status" className={styles.connection}>
      {cause && <p>{cause} What is shown may be out of date.</p>}
    </div>
  );
}
