/** Signed links for the recipient; null where they have none. */
export interface RecipientLinks {
  preferences: string | null;
  unsubscribe: string | null;
}

export interface MailLinks extends RecipientLinks {
  /** Where an operator posts the update that is due. Absent in mails to subscribers. */
  postUpdate?: string | null;
}
