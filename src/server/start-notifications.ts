import { cacheLinkKeys } from '../auth/link-key.service.js';
import type { Settings } from '../core/config.js';
import { Heartbeats } from '../core/heartbeats.js';
import type { Database } from '../db/database.js';
import { poll } from '../db/poll.js';
import { startWorker } from '../notifications/delivery/worker.js';
import { loadTarget } from '../notifications/page-channels/channel-target.js';
import { loadWebhookTarget } from '../notifications/webhooks/webhook-target.js';
import { buildPreferencesUrl, buildUnsubscribeUrl } from '../subscribers/signed-link.js';
import { listNotificationTasks } from './background-tasks.js';
import type { OpenChannels } from './open-channels.js';

/** Starts the worker with its dependencies, and what else is sent. Returns what stops it. */
export function startNotifications(
  database: Database,
  settings: Settings,
  channels: OpenChannels,
  heartbeats = new Heartbeats(),
): () => Promise<void> {
  const { adapters, onFailing } = channels;
  const loadKey = cacheLinkKeys(database);
  const stopWorker = startWorker(database, {
    adapters,
    retryHours: settings.retryHours,
    onFailing,
    heartbeats,
    loadTarget: ({ pageId, channel, webhookId }) =>
      webhookId === null
        ? loadTarget(database.query, settings, pageId, channel)
        : loadWebhookTarget(database.query, settings, webhookId),
    createLinks: async (page, subscriberId, address) => {
      const key = await loadKey(page.id);
      return {
        unsubscribe: buildUnsubscribeUrl(key, page, subscriberId, address),
        preferences: buildPreferencesUrl(key, page, subscriberId, address),
      };
    },
  });
  const tasks = listNotificationTasks(database, settings, channels);
  const stops = [stopWorker, ...tasks.map(task => poll(task, database.log, heartbeats))];
  return async () => void (await Promise.all(stops.map(stop => stop())));
}
