import type { ChannelAdapter, Outcome, Outgoing } from '../channel.js';
import type { Channel } from '../../page-channels/channel-names.js';
import { outcomeOfFailure } from './outcome.js';

/** A channel whose messages are requests of their own, a few at a time. */
export class OneByOne implements ChannelAdapter {
  constructor(
    readonly name: Channel,
    private readonly sendOne: (message: Outgoing) => Promise<Outcome>,
    private readonly secretsOf: (message: Outgoing) => readonly string[],
    private readonly atOnce = 4,
  ) {}

  async send(messages: readonly Outgoing[], told: (deliveryId: string, outcome: Outcome) => void): Promise<void> {
    const left = messages.values();
    const work = async () => {
      for (const message of left) told(message.deliveryId, await this.outcome(message));
    };
    await Promise.all(Array.from({ length: Math.min(this.atOnce, messages.length) }, work));
  }

  async close(): Promise<void> {}

  private async outcome(message: Outgoing): Promise<Outcome> {
    try {
      return await this.sendOne(message);
    } catch (error) {
      return outcomeOfFailure(error, this.secretsOf(message));
    }
  }
}
