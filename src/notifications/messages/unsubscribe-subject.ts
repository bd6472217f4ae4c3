/** The subject of a mail that unsubscribes: the page, and the token of the link that is in each mail. */
export interface MailedToken {
  pageId: string;
  token: string;
}

export const toUnsubscribeSubject = ({ pageId, token }: MailedToken): string => `unsubscribe ${pageId}.${token}`;

/** Null for another subject. The token is checked by its signature. */
export function parseUnsubscribeSubject(subject: string): MailedToken | null {
  const [, pageId, token] = /^\s*unsubscribe\s+([0-9a-z]{1,32})\.([\w.-]{1,100})\s*$/i.exec(subject) ?? [];
  return pageId && token ? { pageId: pageId.toLowerCase(), token } : null;
}
