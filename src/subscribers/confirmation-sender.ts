import type { ChatFormat } from '../notifications/channels/webhook-formats.js';

/** An e-mail to one person who has just asked for it; it belongs to no publication. */
export interface TransactionalMail {
  to: string;
  /** The display name of the sender, unless MAIL_FROM has one. */
  pageName: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface TransactionalSms {
  to: string;
  text: string;
}

/** A message to the incoming webhook of a chat. */
export interface ChatLink {
  to: string;
  format: ChatFormat;
  text: string;
  link: string;
}

/** The recipient server refused the message; permanently, if `isPermanent`. */
export class SendError extends Error {
  constructor(
    response: string,
    readonly isPermanent: boolean,
  ) {
    super(response);
  }
}

/** Sends confirmation links and codes for which a visitor waits. Throws SendError. Never call it in a transaction. */
export interface ConfirmationSender {
  sendMail(mail: TransactionalMail): Promise<void>;
  sendSms(sms: TransactionalSms): Promise<void>;
  postLink(message: ChatLink): Promise<void>;
}

/** Without configured channels, the public page offers no subscription. */
export const unconfiguredSender: ConfirmationSender = {
  sendMail: () => Promise.reject(new Error('No mail server is configured.')),
  sendSms: () => Promise.reject(new Error('No SMS gateway is configured.')),
  postLink: () => Promise.reject(new Error('No chat can be reached.')),
};
