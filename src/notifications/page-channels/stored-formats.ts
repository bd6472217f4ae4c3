import type { Keyring } from './keyring.js';

/** How a column stores a secret: encrypted where there is a key, else in clear. */
export interface StoredFormat<Value, Stored> {
  type: 'text' | 'jsonb';
  /** SQL of the id of the key that encrypts the values of a column; null where one is in clear. */
  keyId(column: string): string;
  seal(keyring: Keyring, value: Value, context: string): Stored;
  open(keyring: Keyring, stored: Stored, context: string): Value;
}

/** A target, whose URL has the host alone where it is encrypted: owners see it. `sealed` has all of it. */
export const createTargetFormat = <Target extends { url: string }>(): StoredFormat<Target, object> => ({
  type: 'jsonb',
  keyId: column => `split_part(${column} ->> 'sealed', ':', 1)`,
  seal: (keyring, target, context) =>
    keyring.currentId
      ? { url: new URL(target.url).origin, sealed: keyring.encrypt(JSON.stringify(target), context) }
      : target,
  open: (keyring, stored, context) => {
    const { sealed, ...target } = stored as Target & { sealed?: string };
    return sealed === undefined ? (target as unknown as Target) : JSON.parse(keyring.decrypt(sealed, context));
  },
});

/** Texts in clear match `clear`; either may have a prefix, which is no part of them. */
const createTextFormat = (clear: RegExp, { clearPrefix = '', sealedPrefix = '' }): StoredFormat<string, string> => ({
  type: 'text',
  keyId: column =>
    `case when ${column} !~ '${clear.source}'
       then split_part(substr(${column}, ${sealedPrefix.length + 1}), ':', 1) end`,
  seal: (keyring, text, context) =>
    keyring.currentId ? sealedPrefix + keyring.encrypt(text, context) : clearPrefix + text,
  open: (keyring, stored, context) =>
    clear.test(stored) ? stored.slice(clearPrefix.length) : keyring.decrypt(stored.slice(sealedPrefix.length), context),
});

export const secretText = createTextFormat(/^clear:/, { clearPrefix: 'clear:' });
export const pem = createTextFormat(/^-----/, {});
export const privateKeyText = createTextFormat(/^(?!sealed )/, { sealedPrefix: 'sealed ' });
