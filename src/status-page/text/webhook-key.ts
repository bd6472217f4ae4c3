import type { PublicRoute } from '../routing/public-route.js';

/** The key by which the `v1a` signatures of requests to webhooks are verified. */
export const webhookKey: PublicRoute = {
  path: 'webhook-key',
  render: ({ page }) => (page.webhookKey ? { type: 'text/plain; charset=utf-8', body: `${page.webhookKey}\n` } : null),
};
