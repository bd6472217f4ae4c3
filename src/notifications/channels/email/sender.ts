import { isMailAddress } from './envelope.js';

/** The From of all e-mails; without a name, that of the page is used. */
export interface Sender {
  name: string | null;
  address: string;
  /** The base host of the service, for List-Id and EHLO. */
  baseHost: string;
  /** Of links for operators. */
  consoleOrigin?: string;
  /** Added to each mail. */
  headers?: Record<string, string>;
  /** Where a mail unsubscribes its sender; empty if none is read. */
  unsubscribeMailbox?: string;
}

/** `status@example.com`, or `Example <status@example.com>`. Null if it is neither. */
export function parseSender(text: string, baseHost: string): Sender | null {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? text).trim();
  if (!isMailAddress(address)) return null;
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || null, address, baseHost };
}
