import type { Logger } from '../../core/logger.js';
import type { Outcome } from './channel.js';
import { maskAddresses } from './refusals.js';
import { type ChannelName, channelByName } from './registry.js';

/** The outcome of an attempt on a channel. `pageId` is null where the channel is one for all pages. */
interface ChannelAttempt {
  channel: ChannelName;
  pageId: string | null;
  outcome: Outcome;
}

export type OnAttempt = (attempt: ChannelAttempt) => void;

interface Failures {
  /** In a row. */
  count: number;
  since: Date;
  isLogged: boolean;
}

/** A temporary failure can be about one recipient: a server that refuses this many in a row has another problem. */
const failureThreshold = 5;

/**
 * Logs once when a channel begins to fail, with the reason, and once when it works again. E-mail and SMS are one
 * channel each; the channels of pages are one for each page.
 */
export class ChannelHealth {
  private readonly failures = new Map<string, Failures>();

  constructor(private readonly log: Pick<Logger, 'warn'>) {}

  /** The number of channels that fail now, by name. */
  countFailing(): Map<ChannelName, number> {
    const counts = new Map<ChannelName, number>();
    for (const [key, { isLogged }] of this.failures) {
      const channel = key.split(':')[0] as ChannelName;
      if (isLogged) counts.set(channel, (counts.get(channel) ?? 0) + 1);
    }
    return counts;
  }

  /** The channel refuses messages for a reason that is not the recipient's. */
  readonly fail = (channel: ChannelName, response: string): void => {
    const failures = this.failures.get(channel) ?? { count: 0, since: new Date(), isLogged: false };
    this.failures.set(channel, failures);
    this.logFailure(channel, undefined, failures, response);
  };

  readonly report: OnAttempt = ({ channel, pageId, outcome }) => {
    // Each webhook fails for a reason of its own, which its contact learns when it is suspended.
    if (channelByName[channel].recipients === 'webhooks') return;
    const key = pageId === null ? channel : `${channel}:${pageId}`;
    const page = pageId ?? undefined;
    const { label } = channelByName[channel];
    const failures = this.failures.get(key);
    if (outcome.kind === 'sent' && failures?.isLogged)
      this.log.warn({ channel: label, page, failingSince: failures.since }, 'a channel works again');
    // The channel slows down, and sends.
    if (outcome.kind === 'failed' && outcome.deferral === 'rate' && !outcome.unreachable) return;
    const isAboutRecipient = outcome.kind === 'refused' && !isPageChannel(channel);
    if (outcome.kind === 'sent' || (isAboutRecipient && !failures?.isLogged)) this.failures.delete(key);
    if (outcome.kind === 'sent' || isAboutRecipient) return;
    const next = failures ?? { count: 0, since: new Date(), isLogged: false };
    next.count += 1;
    this.failures.set(key, next);
    if (next.isLogged || (!isAboutChannel(channel, outcome) && next.count < failureThreshold)) return;
    this.logFailure(channel, page, next, outcome.response);
  };

  private logFailure(channel: ChannelName, page: string | undefined, failures: Failures, response: string): void {
    if (failures.isLogged) return;
    failures.isLogged = true;
    const { label } = channelByName[channel];
    this.log.warn({ channel: label, page, reason: maskAddresses(response) }, 'a channel fails');
  }
}

/** It has one target, which refuses for a reason of its own; a mail server refuses because of a recipient. */
const isPageChannel = (channel: ChannelName): boolean => channelByName[channel].recipients === 'page';

const isAboutChannel = (channel: ChannelName, outcome: Outcome): boolean =>
  isPageChannel(channel) || (outcome.kind === 'failed' && outcome.unreachable === true);
