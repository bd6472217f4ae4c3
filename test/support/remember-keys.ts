import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from '@jest/globals';

type Derived = Promise<Parameters<Parameters<typeof crypto.scrypt>[4]>>;

/** Derives the key of a passphrase and a salt once in the calling file: each takes a tenth of a second of the processor. */
export function rememberKeys(): void {
  const { scrypt } = crypto;
  const derived = new Map<string, Derived>();
  const remembering = (...[password, salt, length, options, callback]: Parameters<typeof scrypt>) => {
    const name = JSON.stringify([password.toString(), Buffer.from(salt as Buffer).toString('hex'), length, options]);
    const key: Derived =
      derived.get(name) ?? new Promise(done => scrypt(password, salt, length, options, (...result) => done(result)));
    derived.set(name, key);
    key.then(result => callback(...result));
  };
  replaceScrypt(remembering as typeof scrypt);
  afterAll(() => replaceScrypt(scrypt));
}

/** Also for modules that have imported it already. */
function replaceScrypt(scrypt: typeof crypto.scrypt): void {
  crypto.scrypt = scrypt;
  syncBuiltinESMExports();
}
