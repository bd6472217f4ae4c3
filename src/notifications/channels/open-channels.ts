import type { Settings } from '../../core/config.js';
import type { Channel } from '../page-channels/channel-names.js';
import type { SendImmediately } from '../page-channels/page-channel.service.js';
import type { ChannelAdapter, Outcome } from './channel.js';
import { type DirectSender, NotTaken, noSender } from '../../subscribers/confirmation-sender.js';
import type { Guard } from './http/post-json.js';
import { chatA } from './slack.js';
import { chatB } from './teams.js';
import type { EmailChannel } from './email/email.js';
import { openEmail } from './email/open-email.js';
import { type SmsGateway, sendSms, sms, smsGatewayOf } from './sms.js';
import { social } from './mastodon.js';

/** All ways by which a process can tell people, as its settings say. */
export interface OpenChannels {
  adapters: ReadonlyMap<Channel, ChannelAdapter>;
  /** For what somebody waits for on a public page. */
  direct: DirectSender;
  /** For tests of a channel. */
  atOnce: SendImmediately;
  close(): Promise<void>;
}

export function openChannels(settings: Settings): OpenChannels {
  const guard: Guard = {
    get allowPrivate() {
      return settings.allowPrivateTargets;
    },
  };
  const email = openEmail(settings);
  const gateway = settings.smsUrl ? smsGatewayOf(settings.smsUrl, settings.smsFrom) : null;
  const all: ChannelAdapter[] = [
    ...(email ? [email] : []),
    ...(gateway ? [sms(gateway)] : []),
    chatA(guard),
    chatB(guard),
    social(guard),
  ];
  const adapters = new Map(all.map(adapter => [adapter.name, adapter]));
  return {
    adapters,
    direct: directSender(email, gateway),
    atOnce: async (channel, message) => {
      let outcome: Outcome = { kind: 'failed', answer: 'The channel gave no answer.' };
      await adapters.get(channel)?.send([message], (_, told) => {
        outcome = told;
      });
      return outcome;
    },
    close: async () => {
      await Promise.all(all.map(adapter => adapter.close()));
    },
  };
}

function directSender(email: EmailChannel | null, gateway: SmsGateway | null): DirectSender {
  const orThrow = ({ kind, answer }: Outcome) => {
    if (kind !== 'sent') throw new NotTaken(answer, kind === 'refused');
  };
  return {
    sendMail: email ? async mail => orThrow(await email.sendDirectly(mail)) : noSender.sendMail,
    sendSms: gateway ? async ({ to, text }) => orThrow(await sendSms(gateway, to, text)) : noSender.sendSms,
  };
}
