import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { StoredRefreshToken } from '../notifications/mail-tokens/stored-refresh-token.js';
import type { ChannelAdapter } from '../notifications/channels/channel-adapter.js';
import type { Outcome, PostJson } from '../notifications/channels/channel.js';
import type { ChannelHealth, OnAttempt } from '../notifications/channels/channel-health.js';
import type { EmailChannel } from '../notifications/channels/email/email.js';
import { openEmail } from '../notifications/channels/email/open-email.js';
import { openPageChannel } from '../notifications/channels/http/page-channel.js';
import type { SsrfGuard } from '../http/guarded-request.js';
import { postGuarded, postJson } from '../notifications/channels/http/post.js';
import { createSmsChannel, parseSmsUrl, sendSms, type SmsGateway } from '../notifications/channels/http/sms-gateway.js';
import {
  channelByName,
  type ChannelName,
  type SubscriberChannelName,
  targetChannels,
} from '../notifications/channels/registry.js';
import { renderChatLink } from '../notifications/channels/webhook.js';
import type { SendImmediately } from '../notifications/page-channels/page-channel.service.js';
import { type ConfirmationSender, SendError, unconfiguredSender } from '../subscribers/confirmation-sender.js';

/** All channels that the settings configure. */
export interface OpenChannels {
  adapters: ReadonlyMap<ChannelName, ChannelAdapter>;
  /** For confirmation links and codes that a visitor waits for. */
  confirmationSender: ConfirmationSender;
  sendImmediately: SendImmediately;
  /** Posts to an address that somebody chose. */
  postGuarded: PostJson;
  /** Posts to an address of the settings, which may be in a private network. */
  postToOperator: PostJson;
  /** For what the channels store. Until then they use the settings alone. */
  useDatabase(database: Database): void;
  /** Called when a channel refuses messages for a reason that is not the recipient's. */
  onFailing?: ChannelHealth['fail'];
  close(): Promise<void>;
}

/** `onAttempt` is called with the outcome of each message, tests and confirmations included. */
export function openChannels(
  settings: Settings,
  onAttempt: OnAttempt = () => {},
  onFailing?: ChannelHealth['fail'],
): OpenChannels {
  const guard: SsrfGuard = {
    get allowPrivate() {
      return settings.allowPrivateTargets;
    },
    proxies: settings,
  };
  // Servers of the operator may be in a private network.
  const operatorGuard: SsrfGuard = { allowPrivate: true, proxies: settings };
  const refreshToken = new StoredRefreshToken(settings);
  const email = openEmail(settings, undefined, refreshToken);
  const gateway = settings.smsUrl ? parseSmsUrl(settings.smsUrl, settings.smsFrom) : null;
  const subscriberAdapters = {
    email,
    sms: gateway && createSmsChannel(gateway, operatorGuard),
  } satisfies Record<SubscriberChannelName, ChannelAdapter | null>;
  const all: ChannelAdapter[] = [
    ...Object.values(subscriberAdapters).filter(adapter => adapter !== null),
    ...targetChannels.map(channel => openPageChannel(channel, guard)),
  ].map(adapter => reportAttempts(adapter, onAttempt));
  const adapters = new Map(all.map(adapter => [adapter.name, adapter]));
  return {
    adapters,
    confirmationSender: createConfirmationSender(email, gateway && { gateway, guard: operatorGuard }, guard, onAttempt),
    sendImmediately: async (channel, message) => {
      let outcome: Outcome = { kind: 'failed', response: 'The channel reported no outcome.' };
      await adapters.get(channel)?.send([message], (_, reported) => {
        outcome = reported;
      });
      return outcome;
    },
    postGuarded: (url, value, headers) => postGuarded(url, value, guard, headers),
    postToOperator: (url, value, headers) => postJson(url, value, operatorGuard, headers),
    useDatabase: database => {
      refreshToken.database = database;
    },
    onFailing,
    close: async () => {
      await Promise.all(all.map(adapter => adapter.close()));
    },
  };
}

function reportAttempts(adapter: ChannelAdapter, onAttempt: OnAttempt): ChannelAdapter {
  const { name } = adapter;
  const isOfPage = channelByName[name].recipients === 'page';
  return {
    name,
    send: (messages, onOutcome) => {
      const pageIds = new Map(messages.map(({ deliveryId, snapshot }) => [deliveryId, snapshot.page.id]));
      return adapter.send(messages, (deliveryId, outcome) => {
        onAttempt({ channel: name, pageId: isOfPage ? pageIds.get(deliveryId)! : null, outcome });
        onOutcome(deliveryId, outcome);
      });
    },
    ...(adapter.verify && { verify: () => adapter.verify!() }),
    close: () => adapter.close(),
  };
}

function createConfirmationSender(
  email: EmailChannel | null,
  sms: { gateway: SmsGateway; guard: SsrfGuard } | null,
  guard: SsrfGuard,
  onAttempt: OnAttempt,
): ConfirmationSender {
  const send = async (channel: SubscriberChannelName, attempt: () => Promise<Outcome>) => {
    const outcome = await attempt().catch((error: Error) => {
      onAttempt({ channel, pageId: null, outcome: { kind: 'failed', response: error.message, unreachable: true } });
      throw error;
    });
    onAttempt({ channel, pageId: null, outcome });
    if (outcome.kind !== 'sent') throw new SendError(outcome.response, outcome.kind === 'refused');
  };
  return {
    sendMail: email ? mail => send('email', () => email.sendTransactional(mail)) : unconfiguredSender.sendMail,
    sendSms: sms
      ? ({ to, text }) => send('sms', () => sendSms(sms.gateway, to, text, sms.guard))
      : unconfiguredSender.sendSms,
    postLink: async ({ to, format, text, link }) => {
      const { status } = await postJson(to, renderChatLink[format](text, link), guard);
      // The response is not logged: it may repeat the URL, which is a secret.
      if (status >= 300) throw new SendError(`${status}`, status < 500);
    },
  };
}
