import type { Heartbeats } from '../../core/heartbeats.js';
import type { ChannelName } from '../channels/registry.js';
import type { ChannelAdapter } from '../channels/channel-adapter.js';
import type { Target } from '../channels/channel.js';
import type { LeasedDelivery } from './lease.js';

/** What the composition passes to a worker, which knows neither the channels nor the links of subscribers. */
export interface WorkerDependencies {
  adapters: ReadonlyMap<ChannelName, ChannelAdapter>;
  /** Those in a message to an address of a subscriber. */
  createLinks?(
    page: { id: string; address: string },
    subscriberId: number,
    address: string,
  ): SubscriberLinks | Promise<SubscriberLinks>;
  /** The credentials of a page's channel or a webhook: secret, never logged; null when it was removed. */
  loadTarget?(delivery: Pick<LeasedDelivery, 'pageId' | 'channel' | 'webhookId'>): Promise<Target | null>;
  /** Hours for which a delivery is tried. */
  retryHours: number;
  /** Called when a channel refuses messages for a reason that is not the recipient's. */
  onFailing?(channel: ChannelName, response: string): void;
  heartbeats?: Heartbeats;
}

interface SubscriberLinks {
  unsubscribe: string;
  preferences: string;
}
