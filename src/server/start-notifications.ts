import type { Settings } from '../core/config.js';
import type { Database } from '../db/connection.js';
import type { OpenChannels } from './open-channels.js';
import { loadTarget } from '../notifications/page-channels/page-channel.service.js';
import { startWorker } from '../notifications/delivery/worker.js';
import { buildPreferencesUrl, buildUnsubscribeUrl } from '../subscribers/signed-link.js';
import { loadSigningKey } from '../subscribers/signing-key.service.js';

/** Starts the worker with its dependencies. Returns what stops it. */
export function startNotifications(
  database: Database,
  { retryHours }: Pick<Settings, 'retryHours'>,
  { adapters }: OpenChannels,
): () => Promise<void> {
  return startWorker(database, {
    adapters,
    retryHours,
    loadTarget: (pageId, channel) => loadTarget(database, pageId, channel),
    createLinks: async (page, subscriberId) => {
      const key = await loadSigningKey(database);
      return {
        unsubscribe: buildUnsubscribeUrl(key, page, subscriberId),
        preferences: buildPreferencesUrl(key, page, subscriberId),
      };
    },
  });
}
