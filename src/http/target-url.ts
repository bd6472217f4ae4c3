import { isBlank, type Validation, validateText } from '../core/validation.js';
import { type Problem, problems } from '../core/problems.js';
import { isPrivateHost } from './public-ip.js';

/** The address of a webhook is a secret: who knows it can post. */
const invalidUrl = (allowPrivateTargets: boolean): Problem => ({
  ...problems.invalid(
    `must be an address that begins with https://${allowPrivateTargets ? ' or http://' : ''}, without a password`,
  ),
  hidesValue: true,
});

const privateHost: Problem = {
  ...problems.invalid('must be a public address: ALLOW_PRIVATE_TARGETS=true allows private ones'),
  hidesValue: true,
};

/**
 * Refuses credentials in the URL, which would be shown with its host, and hosts that are private without asking DNS.
 * What other names lead to is known on connecting, and refused there.
 */
export function parseTargetUrl(validation: Validation, text: string, allowPrivateTargets: boolean): URL | null {
  const value = text.trim();
  validateText(validation, 'url', value, 2_000);
  const url = URL.canParse(value) ? new URL(value) : null;
  const isAllowed = url?.protocol === 'https:' || (allowPrivateTargets && url?.protocol === 'http:');
  if (isBlank(value)) validation.addError('url', problems.blank);
  else if (!url || !isAllowed || !url.hostname || url.username || url.password)
    validation.addError('url', invalidUrl(allowPrivateTargets));
  else if (!allowPrivateTargets && isPrivateHost(url.hostname)) validation.addError('url', privateHost);
  else return url;
  return null;
}
