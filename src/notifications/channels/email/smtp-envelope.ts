import type { Outcome } from '../channel.js';

/** One message to one mailbox. */
export interface Letter {
  from: string;
  to: string;
  /** The address has letters beyond ASCII before its "@". */
  needsAnyAlphabet: boolean;
  /** Lines end in CRLF, the last too; dots at their begin are doubled. Made when its turn has come, so that a long queue is no large one. */
  content(): string;
  told(outcome: Outcome): void;
}

const label = /[^\s<>@,;:\\"()[\]\p{Control}]/u.source;
const address = new RegExp(`^${label}{1,64}@${label}{1,253}$`, 'u');

/** Whether it can stand between angle brackets of a command and of a header: no blank, no bracket, no line end. */
export const isMailAddress = (text: string): boolean => address.test(text) && text.isWellFormed();
