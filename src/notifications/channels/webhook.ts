import { createHmac, sign } from 'node:crypto';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import { renderStandardBody } from '../messages/webhook-body.js';
import { renderStatuspageBody } from '../messages/statuspage-body.js';
import type { HttpResponse, Outcome, WebhookChannelDefinition, WebhookTarget } from './channel.js';
import { escapeMarkdown, renderDiscordMessage, toDiscordOutcome } from './discord.js';
import { endpointRules, toEndpointOutcome } from './endpoint.js';
import { toChatOutcome, toOutcome } from './outcome.js';
import { renderSlackMessage } from './slack.js';
import { renderTeamsMessage, renderTeamsLink, toTeamsOutcome } from './teams.js';
import { escapeMrkdwn } from './slack-mrkdwn.js';
import type { ChatFormat, WebhookFormat } from './webhook-formats.js';

/** The webhooks of a page, by Standard Webhooks: https://www.standardwebhooks.com. */
export const webhook: WebhookChannelDefinition<'webhook', 'WEBHOOK'> = {
  name: 'webhook',
  enumName: 'WEBHOOK',
  label: 'Webhooks',
  recipients: 'webhooks',
  isOutsideV1: true,
  concurrency: 8,
  ...endpointRules,
  ofOne: { test: 'test one by `testWebhook`', resume: 'resume one by `resumeWebhook`' },
  preview: {
    description: 'The body of a request to a webhook, as JSON, in the format STANDARD.',
    render: snapshot => JSON.stringify(renderStandardBody(snapshot), null, 2),
  },
  send: async ({ messageId, snapshot }, { url, webhook: target }, post) => {
    const body = bodies[target!.format](snapshot, url);
    // The same at every attempt, so that the receiver recognizes a repetition.
    const id = `msg_${messageId.replace(/[<>]|@.*$/g, '')}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const response = await post(url, body, {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      // `post` writes the body by the same function.
      'webhook-signature': signContent(`${id}.${timestamp}.${JSON.stringify(body)}`, target!),
    });
    // 404 may be an application that is being deployed.
    return toEndpointOutcome(readers[target!.format](response), response.status, [410]);
  },
};

const readers: Record<WebhookFormat, (response: HttpResponse) => Outcome> = {
  standard: toOutcome,
  statuspage: toOutcome,
  slack: toChatOutcome,
  teams: toTeamsOutcome,
  discord: toDiscordOutcome,
};

const bodies: Record<WebhookFormat, (snapshot: MessageSnapshot, url: string) => object> = {
  standard: renderStandardBody,
  statuspage: renderStatuspageBody,
  slack: renderSlackMessage,
  teams: renderTeamsMessage,
  discord: renderDiscordMessage,
};

/** One signature for each secret, and one by the key of the page. */
function signContent(content: string, { secrets, privateKey }: WebhookTarget): string {
  const byHmac = secrets.map(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  });
  return [...byHmac, `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`].join(' ');
}

/** A message with a link, to a chat that has no subscription yet. */
export const renderChatLink: Record<ChatFormat, (text: string, url: string) => object> = {
  slack: (text, url) => ({ text: `${escapeMrkdwn(text)}\n<${url}>` }),
  teams: (text, url) => renderTeamsLink(text, new URL(url).host, url),
  discord: (text, url) => ({ content: `${escapeMarkdown(text)}\n<${url}>`, allowed_mentions: { parse: [] } }),
};
