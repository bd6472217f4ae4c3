import { shorten } from '../../i18n/shorten.js';
import { buildMessageContent, toReadableText } from '../messages/content.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import type { WebhookChannelDefinition } from './channel.js';
import { toOutcome } from './outcome.js';

/** Browsers that visitors subscribed on the page: RFC 8030, encrypted by RFC 8291, signed by RFC 8292 (VAPID). */
export const push: WebhookChannelDefinition<'push', 'PUSH'> = {
  name: 'push',
  enumName: 'PUSH',
  label: 'Push messages',
  recipients: 'webhooks',
  isOutsideV1: true,
  concurrency: 8,
  preview: {
    description: 'What a browser that subscribed is sent, as JSON.',
    render: snapshot => JSON.stringify(renderPushMessage(snapshot), null, 2),
  },
  send: async ({ snapshot }, { url, push: target }, post) => {
    const { keys, ...signer } = target!;
    // Loaded at the first message: many installations send none.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint: url, keys },
      JSON.stringify(renderPushMessage(snapshot)),
      {
        // Who is asked about the messages: push services refuse http.
        vapidDetails: { subject: snapshot.page.address.replace(/^http:/, 'https:'), ...signer },
        TTL: secondsToLive,
        urgency: snapshot.notice.type === 'unplanned' ? 'high' : 'normal',
        // A later message replaces one that the push service still holds.
        topic: toTopic(snapshot),
      },
    );
    const names = Object.entries(headers).filter(([name]) => name !== 'Content-Length');
    return toOutcome(await post(url, body, Object.fromEntries(names.map(([name, value]) => [name, String(value)]))));
  },
};

/** How long a push service holds a message for a browser that is not running. */
const secondsToLive = 24 * 3_600;

/** In characters. Push services take 4,096 bytes, and a character is four at most. */
const maxLength = { title: 120, body: 240 };

const toTopic = ({ notice }: MessageSnapshot): string => `notice-${notice.id}`;

/** `browser/push-worker.ts` shows it; one with the same tag replaces the earlier one. */
export function renderPushMessage(snapshot: MessageSnapshot): object {
  const { translator, page, headline, subject, newest, link } = buildMessageContent(snapshot);
  const cut = (text: string, length: number) => shorten(text, part => [...part].length <= length);
  const text = newest && toReadableText(newest).replace(/\s+/g, ' ');
  return {
    title: cut(subject, maxLength.title),
    body: cut([page, headline, text].filter(Boolean).join(' · '), maxLength.body),
    url: link,
    tag: toTopic(snapshot),
    lang: snapshot.page.locale,
    dir: translator.direction,
  };
}
