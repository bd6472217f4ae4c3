import { isMailAddress } from './smtp-envelope.js';

/** Who the mails are from; without a name they bear that of the page. */
export interface Sender {
  name: string | null;
  address: string;
}

/** `status@example.com`, or `Example <status@example.com>`. Null for what is neither. */
export function senderOf(text: string): Sender | null {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inBrackets ?? text).trim();
  if (!isMailAddress(address)) return null;
  return { name: name.trim().replace(/^"(.*)"$/, '$1') || null, address };
}
