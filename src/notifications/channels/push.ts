import { shorten } from '../../i18n/shorten.js';
import { buildMessageContent, toReadableText } from '../messages/content.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { Outcome, PostJson, PushTarget, WebhookChannelDefinition } from './channel.js';
import { endpointRules, toEndpointOutcome } from './endpoint.js';
import { toOutcome } from './outcome.js';

/** Browsers that visitors subscribed on the page: RFC 8030, encrypted by RFC 8291, signed by RFC 8292 (VAPID). */
export const push: WebhookChannelDefinition<'push', 'PUSH'> = {
  name: 'push',
  enumName: 'PUSH',
  label: 'Push messages',
  recipients: 'webhooks',
  isOutsideV1: true,
  concurrency: 8,
  ...endpointRules,
  // The push service gives the browser another address.
  endsWhenGone: true,
  ofOne: {
    test: 'subscribe your own browser on the page',
    resume: 'a visitor whose browser is suspended subscribes it again on the page',
  },
  preview: {
    description: 'What a browser that subscribed is sent, as JSON.',
    render: snapshot => JSON.stringify(renderPushMessage(snapshot), null, 2),
  },
  send: ({ snapshot }, { url, push: target }, post) =>
    sendPush({ url, ...target! }, renderPushMessage(snapshot), post, {
      sender: snapshot.page.address,
      isUrgent: snapshot.notice.type === 'unplanned',
    }),
};

interface PushOptions {
  /** The address of who is asked about the messages. */
  sender: string;
  isUrgent: boolean;
}

/** Encrypts a message for a browser, signs it, and posts it to the push service. */
export async function sendPush(
  { url, keys, ...signer }: PushTarget & { url: string },
  message: PushMessage,
  post: PostJson,
  { sender, isUrgent }: PushOptions,
): Promise<Outcome> {
  // Loaded at the first message: many installations send none.
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails({ endpoint: url, keys }, JSON.stringify(message), {
    // Push services refuse http.
    vapidDetails: { subject: sender.replace(/^http:/, 'https:'), ...signer },
    TTL: secondsToLive,
    urgency: isUrgent ? 'high' : 'normal',
    // A later message replaces one that the push service still holds.
    topic: message.tag,
  });
  const names = Object.entries(headers).filter(([name]) => name !== 'Content-Length');
  const response = await post(url, body, Object.fromEntries(names.map(([name, value]) => [name, String(value)])));
  // RFC 8030: 404 for a subscription that has expired, 410 for one that was ended.
  return toEndpointOutcome(toOutcome(response), response.status, [404, 410]);
}

/** How long a push service holds a message for a browser that is not running. */
const secondsToLive = 24 * 3_600;

/** In characters. Push services take 4,096 bytes, and a character is four at most. */
const maxLength = { title: 120, body: 240 };

const toTopic = ({ notice }: MessageSnapshot): string => `notice-${notice.id}`;

/** `browser/push-worker.ts` shows it; one with the same tag, of up to 32 characters, replaces the earlier one. */
export interface PushMessage {
  title: string;
  body: string;
  /** Where a press leads. */
  url: string;
  tag: string;
  lang: string;
  dir: 'ltr' | 'rtl';
}

const cut = (text: string, length: number) => shorten(text, part => [...part].length <= length);

export const cutPushMessage = ({ title, body, ...message }: PushMessage): PushMessage => ({
  ...message,
  title: cut(title, maxLength.title),
  body: cut(body, maxLength.body),
});

function renderPushMessage(snapshot: MessageSnapshot): PushMessage {
  const { translator, page, headline, subject, newest, link } = buildMessageContent(snapshot);
  const text = newest && toReadableText(newest).replace(/\s+/g, ' ');
  return cutPushMessage({
    title: subject,
    body: [page, headline, text].filter(Boolean).join(' · '),
    url: link,
    tag: toTopic(snapshot),
    lang: snapshot.page.locale,
    dir: translator.direction,
  });
}
