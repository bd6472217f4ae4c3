import { settings } from './config.js';
import type { Database } from './db/orm.js';
import type { OpenChannels } from './channels/channels.js';
import { targetOf } from './pages/page-channel.service.js';
import { startWorker } from './publishing/worker.js';
import { preferencesLink, unsubscribeLink } from './subscribers/link.js';
import { signingKey } from './subscribers/signing-key.service.js';

/** A worker with all that it needs. Returns what stops it. */
export function startTelling(database: Database, { adapters }: OpenChannels): () => Promise<void> {
  return startWorker(database, {
    adapters,
    retryHours: settings.retryHours,
    targetOf: (pageId, channel) => targetOf(database, pageId, channel),
    linksOf: async (page, subscriberId) => {
      const key = await signingKey(database);
      return { unsubscribe: unsubscribeLink(key, page, subscriberId), preferences: preferencesLink(key, page, subscriberId) };
    },
  });
}
