import type { Outcome } from '../channel.js';

export interface Envelope {
  from: string;
  to: string;
  /** The address has characters beyond ASCII before its "@". */
  needsSmtpUtf8: boolean;
  /** The message with CRLF line ends. Composed when its turn has come, so that a long queue takes little memory. */
  content(): Promise<string>;
  onOutcome(outcome: Outcome): void;
}

const label = /[^\s<>@,;:\\"()[\]\p{Control}]/u.source;
const address = new RegExp(`^${label}{1,64}@${label}{1,253}$`, 'u');

/** Whether it can stand between the angle brackets of a command and of a header: no space, bracket or line end. */
export const isMailAddress = (text: string): boolean => address.test(text) && text.isWellFormed();
