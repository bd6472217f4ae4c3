/** Signed links for the recipient; null where they have none. */
export interface MailLinks {
  preferences: string | null;
  unsubscribe: string | null;
}
