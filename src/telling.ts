import { settings } from './config.js';
import type { Database } from './db/orm.js';
import type { Channel } from './pages/channels.js';
import type { ChannelAdapter } from './publishing/channel.js';
import { startWorker } from './publishing/worker.js';
import { preferencesLink, unsubscribeLink } from './subscribers/link.js';
import { signingKey } from './subscribers/signing-key.service.js';

/** A worker with all that it needs. Returns what stops it. */
export function startTelling(database: Database): () => Promise<void> {
  const adapters = new Map<Channel, ChannelAdapter>();
  const stop = startWorker(database, {
    adapters,
    retryHours: settings.retryHours,
    linksOf: async (page, subscriberId) => {
      const key = await signingKey(database);
      return { unsubscribe: unsubscribeLink(key, page, subscriberId), preferences: preferencesLink(key, page, subscriberId) };
    },
  });
  return async () => {
    await stop();
    for (const adapter of adapters.values()) await adapter.close();
  };
}
