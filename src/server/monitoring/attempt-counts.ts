import type { Outcome } from '../../notifications/channels/channel.js';
import type { OnAttempt } from '../../notifications/channels/channel-health.js';
import { type ChannelName, channelNames } from '../../notifications/channels/registry.js';

const outcomes = ['sent', 'failed', 'refused'] as const satisfies Outcome['kind'][];

interface AttemptCount {
  channel: ChannelName;
  outcome: Outcome['kind'];
  count: number;
}

/** Counts the attempts of this process, from 0 for each channel and outcome: a rate needs a first value. */
export class AttemptCounts {
  private readonly counts = new Map<string, AttemptCount>(
    channelNames.flatMap(channel =>
      outcomes.map(outcome => [`${channel} ${outcome}`, { channel, outcome, count: 0 }] as const),
    ),
  );

  readonly add: OnAttempt = ({ channel, outcome }) => {
    this.counts.get(`${channel} ${outcome.kind}`)!.count += 1;
  };

  list(): AttemptCount[] {
    return [...this.counts.values()];
  }
}
