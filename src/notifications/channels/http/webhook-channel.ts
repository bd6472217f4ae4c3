import type { ChannelAdapter, Outcome, OutgoingMessage } from '../channel.js';
import type { Channel } from '../../page-channels/channel-names.js';
import { toFailedOutcome } from './outcome.js';

/** A channel that sends each message in a request of its own, a few at a time. */
export class WebhookChannel implements ChannelAdapter {
  constructor(
    readonly name: Channel,
    private readonly sendOne: (message: OutgoingMessage) => Promise<Outcome>,
    private readonly redactions: (message: OutgoingMessage) => readonly string[],
    private readonly concurrency = 4,
  ) {}

  async send(
    messages: readonly OutgoingMessage[],
    onOutcome: (deliveryId: string, outcome: Outcome) => void,
  ): Promise<void> {
    const queue = messages.values();
    const work = async () => {
      for (const message of queue) onOutcome(message.deliveryId, await this.attempt(message));
    };
    await Promise.all(Array.from({ length: Math.min(this.concurrency, messages.length) }, work));
  }

  async close(): Promise<void> {}

  private async attempt(message: OutgoingMessage): Promise<Outcome> {
    try {
      return await this.sendOne(message);
    } catch (error) {
      return toFailedOutcome(error, this.redactions(message));
    }
  }
}
