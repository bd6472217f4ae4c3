import { linkPaths, linkPurposes, verifyLink } from '../../subscribers/signed-link.js';

/** The longest path first: `preferences/request` before `preferences`. */
const purposes = linkPurposes.toSorted((one, other) => linkPaths[other].length - linkPaths[one].length);

/** Whether a path has a signed link for a subscriber of the page, who has given a consent and can take it back. */
export function holdsSignedLink(key: Buffer, path: string, pageId: string): boolean {
  const purpose = purposes.find(one => path.startsWith(`${linkPaths[one]}/`));
  return purpose !== undefined && verifyLink(key, purpose, pageId, path.slice(linkPaths[purpose].length + 1)) !== null;
}
