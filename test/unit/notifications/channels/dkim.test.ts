import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEmail } from '../../../../src/notifications/channels/email/open-email.js';
import { InvalidSettings } from '../../../../src/core/config.js';
import { startMailServer } from '../../../support/mail-server.js';
import { createSnapshot } from '../../../support/message-snapshots.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';

const folder = mkdtempSync(join(tmpdir(), 'all-clear-dkim-'));
afterAll(() => rmSync(folder, { recursive: true }));
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

function writeKey(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const toPem = (key: typeof rsa.privateKey) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const openChannel = (privateKeyFile: string, smtpUrl = 'smtp://127.0.0.1:1') =>
  openEmail({
    smtpUrl,
    mailFrom: 'status@example.com',
    publicUrl: '',
    port: 3000,
    dkimDomain: 'example.com',
    dkimSelector: 'status',
    dkimPrivateKeyFile: privateKeyFile,
  })!;

/** Relaxed canonicalization of a header field (RFC 6376, section 3.4.2). */
const relaxHeader = (name: string, value: string) =>
  `${name.toLowerCase()}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;

/** Relaxed canonicalization of a body (RFC 6376, section 3.4.4). */
const relaxBody = (body: string) =>
  `${body
    .replace(/[ \t]+\r\n/g, '\r\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '')}\r\n`;

/** Verifies a message as a receiving server does, and returns the tags of its signature. */
function verify(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const headers = [...`${raw.slice(0, end)}\r\n`.matchAll(/^([!-9;-~]+):((?:.*\r\n)(?:[ \t].*\r\n)*)/gm)].map(
    ([, name, value]) => ({ name: name!.toLowerCase(), value: value!.slice(0, -2) }),
  );
  const signature = headers.find(({ name }) => name === 'dkim-signature')!.value;
  const tags = Object.fromEntries(
    signature.split(';').map(tag => {
      const [name = '', ...value] = tag.split('=');
      return [name.trim(), value.join('=').replace(/\s+/g, '')];
    }),
  );
  const signed = tags.h!.split(':').map(name => {
    const { value } = headers.findLast(header => header.name === name)!;
    return `${relaxHeader(name, value)}\r\n`;
  });
  const unsigned = relaxHeader('dkim-signature', signature.replace(/b=[^;]*$/, 'b='));
  return {
    tags,
    isBodyIntact:
      createHash('sha256')
        .update(relaxBody(raw.slice(end + 4)))
        .digest('base64') === tags.bh,
    isSignatureValid: createVerify('RSA-SHA256')
      .update(signed.join('') + unsigned)
      .verify(rsa.publicKey, tags.b!, 'base64'),
  };
}

describe('a message signed with DKIM', () => {
  let raws: string[];
  beforeAll(async () => {
    const server = await startMailServer();
    const channel = openChannel(writeKey('rsa.pem', toPem(rsa.privateKey)), server.url);
    const snapshot = createSnapshot({ text: 'Größer.\n\n.\n\n..dots  and   spaces \n\n- a\n- b' });
    const links = { unsubscribe: 'https://a.example/unsubscribe/1', preferences: 'https://a.example/preferences/1' };
    await sendAll(channel, [createMessage('1', 'one@example.com', { snapshot, recipient: links })]);
    await channel.sendTransactional({
      to: 'two@example.com',
      pageName: 'Meridian',
      subject: 'Confirm',
      headers: {},
      text: '.\nhello',
      html: '<p>hello',
    });
    await channel.close();
    await server.stop();
    raws = server.mails.map(({ raw }) => raw);
  });

  test('verifies, for a publication and for a transactional mail', () => {
    expect(raws).toHaveLength(2);
    for (const raw of raws) {
      expect(verify(raw)).toMatchObject({
        tags: { v: '1', a: 'rsa-sha256', c: 'relaxed/relaxed', d: 'example.com', s: 'status' },
        isBodyIntact: true,
        isSignatureValid: true,
      });
    }
  });

  test('covers the sender, the recipient, the content type and both unsubscribe headers', () => {
    expect(verify(raws[0]!).tags.h!.split(':')).toEqual(
      expect.arrayContaining([
        'from',
        'to',
        'subject',
        'date',
        'message-id',
        'reply-to',
        'content-type',
        'mime-version',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ]),
    );
  });

  test('no longer verifies when a signed header or the body changes', () => {
    const [raw = ''] = raws;
    expect(verify(raw.replace(/^Subject: /m, 'Subject: x')).isSignatureValid).toBe(false);
    expect(verify(raw.replace('One-Click', 'Two-Click')).isSignatureValid).toBe(false);
    expect(verify(`${raw}x`).isBodyIntact).toBe(false);
  });
});

test.each([
  ['a missing file', () => join(folder, 'none.pem'), 'ENOENT'],
  ['a file that is no key', () => writeKey('text.pem', 'hello'), 'is not a private key that can be read'],
  [
    'a public key',
    () => writeKey('public.pem', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    'read',
  ],
  [
    'an elliptic curve key',
    () => writeKey('ec.pem', toPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)),
    'must hold an RSA key, not ec',
  ],
  [
    'a short key',
    () => writeKey('short.pem', toPem(generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey)),
    'must hold a key of 1024 bits or more',
  ],
])('refuses to start with %s', (_, createFile, reason) => {
  const open = () => openChannel(createFile());
  expect(open).toThrow(InvalidSettings);
  expect(open).toThrow(/^These settings are wrong:\n {2}DKIM_PRIVATE_KEY_FILE: /);
  expect(open).toThrow(reason);
});
