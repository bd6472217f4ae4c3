/** How the body of a request to a webhook is written. */
export const webhookFormats = ['standard', 'statuspage', 'slack', 'teams', 'discord'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** Incoming webhooks of chats, which are on these hosts. */
export const chatHosts = {
  slack: /^hooks\.slack(-gov)?\.com$/,
  teams: /\.(webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/,
  discord: /^(discord|discordapp)\.com$/,
};
export type ChatFormat = keyof typeof chatHosts;

/** The chat at whose host the URL is. */
export const findChatFormat = (url: string): ChatFormat | undefined =>
  (Object.keys(chatHosts) as ChatFormat[]).find(format => chatHosts[format].test(new URL(url).hostname));

export const isChat = (format: string): format is ChatFormat => Object.hasOwn(chatHosts, format);
