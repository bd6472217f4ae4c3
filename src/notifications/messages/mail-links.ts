/** Signed links for the recipient; null where they have none. */
export interface MailLinks {
  preferences: string | null;
  unsubscribe: string | null;
  /** Where an operator posts the update that is due. Absent in mails to subscribers. */
  postUpdate?: string | null;
}
