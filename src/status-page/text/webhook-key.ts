import type { PublicRoute } from '../routing/public-route.js';
import { renderText } from '../routing/responses.js';

/** The key by which the `v1a` signatures of requests to webhooks are verified. */
export const webhookKey: PublicRoute = {
  path: 'webhook-key',
  render: ({ page }) => (page.webhookKey ? renderText(200, `${page.webhookKey}\n`) : null),
};
