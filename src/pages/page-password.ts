import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import PQueue from 'p-queue';
import { KeyedQueue } from '../core/queues/keyed-queue.js';
import { normalizeUnicode } from '../core/text/normalize-unicode.js';

/** As OWASP recommends where 32 MB are to be used: a try takes a tenth of a second. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const hashBytes = 32;

export const derivePasswordKey = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(normalizeUnicode(password, 'NFKC'), salt, hashBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );

/** One at a time: each takes one of the four threads that also compress pages, where what comes first is done first. */
const running = new PQueue({ concurrency: 1 });

/** The form of what `hashPassword` returns: 16 bytes and 32. */
export const passwordHashPattern = /^[\w-]{22}\.[\w-]{43}$/;

/** The salt and the hash of a password, as they are stored. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await running.add(() => derivePasswordKey(password, salt), { priority: 1 });
  return `${salt.toString('base64url')}.${key.toString('base64url')}`;
}

/** The tries of each page, by its hash, so that pages take turns. */
const tries = new KeyedQueue();

export async function isPassword(given: string, stored: string): Promise<boolean> {
  const [salt, hash] = stored.split('.').map(part => Buffer.from(part, 'base64url'));
  const derived = await tries.run(stored, () => running.add(() => derivePasswordKey(given, salt!)));
  return timingSafeEqual(derived, hash!);
}
