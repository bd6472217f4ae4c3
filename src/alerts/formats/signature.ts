import { createHmac } from 'node:crypto';
import { isSameToken } from '../../auth/token.service.js';
import type { SignedRequest } from './format.js';

export function hmac(secret: string, ...parts: (string | Buffer)[]): string {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac.digest('hex');
}

/** A header may have several signatures, joined by commas, while a secret is rotated. */
export const hasSignature = (header: string | string[] | undefined, expected: string): boolean =>
  String(header ?? '')
    .split(',')
    .some(signature => isSameToken(signature.trim(), expected));

/** For senders that do not sign: the secret itself, as a bearer token or as the password of any user. */
export const bearer = {
  isSigned: ({ headers: { authorization = '' } }: SignedRequest, secret: string) =>
    isSameToken(authorization, `Bearer ${secret}`) || isSameToken(readPassword(authorization), secret),
  signature: 'the secret as `Authorization: Bearer`, or as the password of `Authorization: Basic`',
};

/** Empty without Basic authentication (RFC 7617). */
function readPassword(authorization: string): string {
  const [, credentials = ''] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.includes(':') ? text.slice(text.indexOf(':') + 1) : '';
}
