import { Validation } from '../../core/validation.js';
import { parseTargetUrl } from '../../http/target-url.js';

/** The URL in a field of a form; null unless requests may be sent there. */
export function parseUrl(text: string, allowPrivateTargets: boolean): URL | null {
  // URL would drop line breaks.
  if (/\p{Cc}/u.test(text)) return null;
  const validation = new Validation();
  const url = parseTargetUrl(validation, text, allowPrivateTargets);
  return Object.keys(validation.errors()).length ? null : url;
}
