import type { Channel } from '../page-channels/channel-names.js';
import type { ChannelAdapter } from '../channels/channel.js';

/** What a worker is given by whoever starts it: it knows neither the channels nor the subscribers' links. */
export interface WorkerParts {
  adapters: ReadonlyMap<Channel, ChannelAdapter>;
  /** Signed addresses for a subscriber of a page. */
  linksOf?(page: { id: string; address: string }, subscriberId: number): Links | Promise<Links>;
  /** What a channel of a page needs to be reached: a secret, never logged; null when it is not there any more. */
  targetOf?(pageId: string, channel: Channel): Promise<Record<string, string> | null>;
  /** Hours for which a delivery is tried. */
  retryHours: number;
}

export interface Links {
  unsubscribe: string;
  preferences: string;
}
