import { ForbiddenTarget } from '../../../http/guarded-request.js';
import type { ChannelAdapter } from '../channel-adapter.js';
import type { Outcome, OutgoingMessage } from '../channel.js';
import { redact } from '../redact.js';
import type { ChannelName } from '../registry.js';

/** An adapter that sends each message in a request of its own, a few at a time. */
export class WebhookChannel implements ChannelAdapter {
  constructor(
    readonly name: ChannelName,
    private readonly sendOne: (message: OutgoingMessage) => Promise<Outcome>,
    /** The secrets of a message: redacted from its outcome, whatever the response repeats. */
    private readonly listSecrets: (message: OutgoingMessage) => readonly string[],
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
    const outcome = await this.trySend(message);
    return { ...outcome, response: redact(outcome.response, this.listSecrets(message)) };
  }

  private async trySend(message: OutgoingMessage): Promise<Outcome> {
    try {
      return await this.sendOne(message);
    } catch (error) {
      return toFailedOutcome(error);
    }
  }
}

function toFailedOutcome(error: unknown): Outcome {
  if (error instanceof ForbiddenTarget) {
    const response = error.message;
    return error.isPermanent ? { kind: 'refused', response } : { kind: 'failed', response, unreachable: true };
  }
  const { message, cause } = error as Error;
  const response = [message, (cause as Error | undefined)?.message].filter(Boolean).join(': ') || String(error);
  return { kind: 'failed', response, unreachable: true };
}
