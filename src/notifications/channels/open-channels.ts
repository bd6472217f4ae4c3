import { settings as ownSettings, type Settings, WrongSettings } from '../../core/config.js';
import type { Channel } from '../page-channels/channel-names.js';
import type { SendAtOnce } from '../page-channels/page-channel.service.js';
import type { ChannelAdapter, Outcome } from './channel.js';
import { type DirectSender, NotTaken, noSender } from '../../subscribers/confirmation-sender.js';
import { chatA } from './slack.js';
import { chatB } from './teams.js';
import { EmailChannel } from './email/email.js';
import { senderOf } from './email/sender.js';
import { isSmtpUrl } from './email/smtp-url.js';
import { type SmsGateway, sendSms, sms, smsGatewayOf } from './sms.js';
import { social } from './mastodon.js';

/** All ways by which a process can tell people, as its settings say. */
export interface OpenChannels {
  adapters: ReadonlyMap<Channel, ChannelAdapter>;
  /** For what somebody waits for on a public page. */
  direct: DirectSender;
  /** For tests of a channel. */
  atOnce: SendAtOnce;
  close(): Promise<void>;
}

export function openChannels(
  settings: Pick<Settings, 'smtpUrl' | 'mailFrom' | 'smsUrl' | 'smsFrom'> = ownSettings,
): OpenChannels {
  const email = emailOf(settings);
  const gateway = settings.smsUrl ? smsGatewayOf(settings.smsUrl, settings.smsFrom) : null;
  const all: ChannelAdapter[] = [
    ...(email ? [email] : []),
    ...(gateway ? [sms(gateway)] : []),
    chatA(),
    chatB(),
    social(),
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

/** What the table of settings cannot see by a pattern is said in the same words. */
function emailOf({ smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>): EmailChannel | null {
  if (!smtpUrl) return null;
  const sender = senderOf(mailFrom);
  if (!isSmtpUrl(smtpUrl))
    throw new WrongSettings(
      'These settings are wrong:\n  SMTP_URL: only ?tls=required, ?tls=never and ?tls=unverified may follow the host',
    );
  if (!sender)
    throw new WrongSettings('These settings are wrong:\n  MAIL_FROM: must be an address, or a name and <an address>');
  return new EmailChannel(smtpUrl, sender);
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
