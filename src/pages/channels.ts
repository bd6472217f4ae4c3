/** The channels through which a page tells people; one switch column and one read-only field each. */
export const channels = ['email', 'sms', 'chatA', 'chatB', 'social'] as const;
export type Channel = (typeof channels)[number];

/** SQL, by channel: whether it is configured. A switch shows as on only where its channel is configured; none can be yet. */
export const configured: Record<Channel, string> = { email: 'false', sms: 'false', chatA: 'false', chatB: 'false', social: 'false' };
