import { settings } from '../core/config.js';
import type { Database } from '../db/connection.js';
import type { OpenChannels } from '../notifications/channels/open-channels.js';
import { targetOf } from '../notifications/page-channels/page-channel.service.js';
import { startWorker } from '../notifications/delivery/worker.js';
import { preferencesLink, unsubscribeLink } from '../subscribers/signed-link.js';
import { signingKey } from '../subscribers/signing-key.service.js';

/** A worker with all that it needs. Returns what stops it. */
export function startTelling(database: Database, { adapters }: OpenChannels): () => Promise<void> {
  return startWorker(database, {
    adapters,
    retryHours: settings.retryHours,
    targetOf: (pageId, channel) => targetOf(database, pageId, channel),
    linksOf: async (page, subscriberId) => {
      const key = await signingKey(database);
      return {
        unsubscribe: unsubscribeLink(key, page, subscriberId),
        preferences: preferencesLink(key, page, subscriberId),
      };
    },
  });
}
