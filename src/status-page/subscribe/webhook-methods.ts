import type { PageView } from '../view/view.js';

/** Ways to subscribe by a URL, by their proper names. */
export const webhookMethods = { slack: 'Slack', teams: 'Microsoft Teams', discord: 'Discord', webhook: 'Webhook' };
export type WebhookMethod = keyof typeof webhookMethods;

export const isWebhookMethod = (text: string | null): text is WebhookMethod =>
  text !== null && Object.hasOwn(webhookMethods, text);

/** Those of a page: none, if visitors cannot subscribe webhooks. */
export const listWebhookMethods = ({ page }: PageView): WebhookMethod[] =>
  page.offersWebhooks ? (Object.keys(webhookMethods) as WebhookMethod[]) : [];
