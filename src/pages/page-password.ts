import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import PQueue from 'p-queue';
import { KeyedQueue } from '../core/queues/keyed-queue.js';
import { normalizeUnicode } from '../core/text/normalize-unicode.js';

/** As OWASP recommends where 32 MB are to be used: a try takes a tenth of a second. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const hashBytes = 32;
export const maxPasswordLength = 255;

export const derivePasswordKey = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(normalizeUnicode(password, 'NFKC'), salt, hashBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );

/** The form of what is stored: 16 bytes and 32. */
export const passwordHashPattern = /^[\w-]{22}\.[\w-]{43}$/;

/** Hashes and checks the passwords of pages: one at a time, first those that are set. */
export class PagePasswords {
  /** Each takes one of the four threads that also compress pages, where what comes first is done first. */
  private readonly running = new PQueue({ concurrency: 1 });
  /** The tries of each page, by its hash, so that pages take turns. */
  private readonly tries = new KeyedQueue();

  /** The salt and the hash of a password, as they are stored. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const key = await this.running.add(() => derivePasswordKey(password, salt), { priority: 1 });
    return `${salt.toString('base64url')}.${key.toString('base64url')}`;
  }

  /** Whether a password is the one whose salt and hash are stored. */
  async isRight(given: string, stored: string): Promise<boolean> {
    const [salt, hash] = stored.split('.').map(part => Buffer.from(part, 'base64url'));
    const derived = await this.tries.run(stored, () => this.running.add(() => derivePasswordKey(given, salt!)));
    return timingSafeEqual(derived, hash!);
  }
}
