import { type LinkPurpose, verifyLink } from '../../subscribers/signed-link.js';

/** The purpose of the signed link that a path of the subscribe pages has, by its first segments. */
const purposes: [prefix: string, purpose: LinkPurpose][] = [
  ['preferences/request/', 'request'],
  ['preferences/', 'preferences'],
  ['confirm/', 'confirm'],
  ['unsubscribe/', 'unsubscribe'],
  ['webhook/confirm/', 'confirm-webhook'],
  ['webhook/', 'webhook'],
];

/** Whether a path has a signed link for a subscriber of the page, who has given a consent and can take it back. */
export function holdsSignedLink(key: Buffer, path: string, pageId: string): boolean {
  const [prefix, purpose] = purposes.find(([start]) => path.startsWith(start)) ?? [];
  return purpose !== undefined && verifyLink(key, purpose, pageId, path.slice(prefix!.length)) !== null;
}
