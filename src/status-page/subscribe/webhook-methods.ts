import type { PageView } from '../view/view.js';

/** Ways to subscribe by a URL, by their proper names. */
export const webhookMethods = { slack: 'Slack', teams: 'Microsoft Teams', discord: 'Discord', webhook: 'Webhook' };
export type WebhookMethod = keyof typeof webhookMethods;

/** The instructions of each chat service for creating the URL of an incoming webhook. */
export const webhookHelpUrls: Partial<Record<WebhookMethod, string>> = {
  slack: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/',
  teams: 'https://support.microsoft.com/office/8ae491c7-0394-4861-ba59-055e33f75498',
  discord: 'https://support.discord.com/hc/articles/228383668-Intro-to-Webhooks',
};

export const isWebhookMethod = (text: string | null): text is WebhookMethod =>
  text !== null && Object.hasOwn(webhookMethods, text);

/** Those of a page: none, if visitors cannot subscribe webhooks. */
export const listWebhookMethods = ({ page }: PageView): WebhookMethod[] =>
  page.offersWebhooks ? (Object.keys(webhookMethods) as WebhookMethod[]) : [];
