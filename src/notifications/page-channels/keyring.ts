import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { InvalidSettings } from '../../core/config.js';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** The keys of SECRETS_KEY: the first one encrypts, and all of them decrypt. */
export class Keyring {
  private readonly keys: ReadonlyMap<string, Buffer>;

  constructor({ secretsKey }: { secretsKey: string }) {
    const keys = secretsKey.split(',').flatMap(text => (text.trim() ? [Buffer.from(text.trim(), 'base64')] : []));
    this.keys = new Map(keys.map(key => [createHash('sha256').update(key).digest('hex').slice(0, 8), key]));
  }

  /** The id of the key that encrypts; undefined where nothing is encrypted. */
  get currentId(): string | undefined {
    return this.keys.keys().next().value;
  }

  /** `context` says what the text belongs to: elsewhere it cannot be decrypted. Requires a key. */
  encrypt(text: string, context: string): string {
    const [id, key] = this.keys.entries().next().value!;
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(context));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${id}:${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
  }

  decrypt(sealed: string, context: string): string {
    const id = readKeyId(sealed);
    const key = this.keys.get(id);
    if (!key) throw new InvalidSettings(`SECRETS_KEY lacks the key ${id}, by which secrets of channels are encrypted.`);
    const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64url');
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
  }
}

const readKeyId = (sealed: string): string => sealed.split(':', 1)[0]!;
