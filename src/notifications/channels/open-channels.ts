import type { Settings } from '../../core/config.js';
import type { Channel } from '../page-channels/channel-names.js';
import type { SendImmediately } from '../page-channels/page-channel.service.js';
import type { ChannelAdapter, Outcome } from './channel.js';
import { type ConfirmationSender, SendError, unconfiguredSender } from '../../subscribers/confirmation-sender.js';
import type { SsrfGuard } from './http/post.js';
import { createSlackChannel } from './slack.js';
import { createTeamsChannel } from './teams.js';
import type { EmailChannel } from './email/email.js';
import { openEmail } from './email/open-email.js';
import { type SmsGateway, sendSms, createSmsChannel, parseSmsUrl } from './sms.js';
import { createMastodonChannel } from './mastodon.js';

/** All channels that the settings configure. */
export interface OpenChannels {
  adapters: ReadonlyMap<Channel, ChannelAdapter>;
  /** For confirmation links and codes that a visitor waits for. */
  confirmationSender: ConfirmationSender;
  /** For test messages. */
  sendImmediately: SendImmediately;
  close(): Promise<void>;
}

export function openChannels(settings: Settings): OpenChannels {
  const guard: SsrfGuard = {
    get allowPrivate() {
      return settings.allowPrivateTargets;
    },
  };
  const email = openEmail(settings);
  const gateway = settings.smsUrl ? parseSmsUrl(settings.smsUrl, settings.smsFrom) : null;
  const all: ChannelAdapter[] = [
    ...(email ? [email] : []),
    ...(gateway ? [createSmsChannel(gateway)] : []),
    createSlackChannel(guard),
    createTeamsChannel(guard),
    createMastodonChannel(guard),
  ];
  const adapters = new Map(all.map(adapter => [adapter.name, adapter]));
  return {
    adapters,
    confirmationSender: createConfirmationSender(email, gateway),
    sendImmediately: async (channel, message) => {
      let outcome: Outcome = { kind: 'failed', response: 'The channel reported no outcome.' };
      await adapters.get(channel)?.send([message], (_, reported) => {
        outcome = reported;
      });
      return outcome;
    },
    close: async () => {
      await Promise.all(all.map(adapter => adapter.close()));
    },
  };
}

function createConfirmationSender(email: EmailChannel | null, gateway: SmsGateway | null): ConfirmationSender {
  const throwUnlessSent = ({ kind, response }: Outcome) => {
    if (kind !== 'sent') throw new SendError(response, kind === 'refused');
  };
  return {
    sendMail: email ? async mail => throwUnlessSent(await email.sendTransactional(mail)) : unconfiguredSender.sendMail,
    sendSms: gateway
      ? async ({ to, text }) => throwUnlessSent(await sendSms(gateway, to, text))
      : unconfiguredSender.sendSms,
  };
}
