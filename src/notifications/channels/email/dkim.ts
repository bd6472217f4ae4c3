import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { DKIM } from './nodemailer.js';

interface DkimSettings {
  domain: string;
  selector: string;
  privateKeyFile: string;
}

/** One-click unsubscribing requires a signature over both List-Unsubscribe headers (RFC 8058, section 4). */
const signedHeaders = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Id',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':');

/** Returns what signs a message with the key. Throws a sentence for the operator if the key is unusable. */
export function createDkimSigner(settings: DkimSettings): (message: string) => Promise<string> {
  const dkim = new DKIM({
    domainName: settings.domain,
    keySelector: settings.selector,
    privateKey: readKey(settings.privateKeyFile),
    headerFieldNames: signedHeaders,
  });
  return message => text(dkim.sign(message));
}

/** nodemailer signs with RSA only, and sends the message unsigned if it cannot: so the key is checked here. */
function readKey(file: string): KeyObject {
  let key: KeyObject;
  try {
    key = createPrivateKey(readFileSync(file));
  } catch (error) {
    throw new Error(`is not a private key that can be read: ${(error as Error).message}`);
  }
  if (key.asymmetricKeyType !== 'rsa') throw new Error(`must hold an RSA key, not ${key.asymmetricKeyType}`);
  // Verifiers ignore shorter keys (RFC 8301).
  if (key.asymmetricKeyDetails!.modulusLength! < 1024) throw new Error('must hold a key of 1024 bits or more');
  return key;
}
