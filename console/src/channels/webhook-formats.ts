import type { WebhookFormat } from '../api/documents.ts';

/** How a webhook is written to, for people. */
export const formatNames: Record<WebhookFormat, string> = {
  STANDARD: 'Standard Webhooks',
  STATUSPAGE: 'Atlassian Statuspage, without announcements',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
  DISCORD: 'Discord',
};
