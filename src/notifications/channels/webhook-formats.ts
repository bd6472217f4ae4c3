/** How the body of a request to a webhook is written. */
export const webhookFormats = ['standard', 'statuspage'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
