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

/** For senders that do not sign: the secret itself, as a bearer token. */
export const bearer = {
  isSigned: ({ headers }: SignedRequest, secret: string) =>
    isSameToken(headers.authorization ?? '', `Bearer ${secret}`),
  signature: 'the secret as `Authorization: Bearer`',
};
