import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { type ReceivedRequest, startReceiver } from './http-receiver.js';

/** A push service, and the browsers that it delivers to. It decrypts by itself what it gets: RFC 8188, 8291 and 8292. */
export async function startPushService() {
  /** What it responds to the requests of one browser. Default: 201. */
  const responses = new Map<string, { status: number; headers?: Record<string, string> }>();
  const receiver = await startReceiver(({ path }) => responses.get(path) ?? { status: 201, body: '' });
  let count = 0;
  return {
    ...receiver,
    responses,
    createBrowser() {
      const pair = createECDH('prime256v1');
      const publicKey = pair.generateKeys();
      const auth = randomBytes(16);
      const path = `/send/${++count}-${randomBytes(8).toString('hex')}`;
      const requests = () => receiver.requests.filter(request => request.path === path);
      return {
        path,
        fields: {
          endpoint: `${receiver.url}${path}`,
          p256dh: publicKey.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        requests,
        messages: () => requests().map(({ bytes }) => JSON.parse(decrypt(bytes, pair, publicKey, auth))),
      };
    },
  };
}

function decrypt(bytes: Buffer, pair: ReturnType<typeof createECDH>, publicKey: Buffer, auth: Buffer): string {
  const salt = bytes.subarray(0, 16);
  const senderKey = bytes.subarray(21, 21 + bytes[20]!);
  const derive = (secret: Buffer, by: Buffer, info: (string | Buffer)[], length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, Buffer.concat(info.map(part => Buffer.from(part))), length));
  const secret = derive(pair.computeSecret(senderKey), auth, ['WebPush: info\0', publicKey, senderKey], 32);
  const key = derive(secret, salt, ['Content-Encoding: aes128gcm\0'], 16);
  const nonce = derive(secret, salt, ['Content-Encoding: nonce\0'], 12);
  const content = bytes.subarray(21 + bytes[20]!);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(content.subarray(-16));
  const padded = Buffer.concat([decipher.update(content.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** The claims of a request that is signed by the key that it names. */
export function verifySignature({ headers }: ReceivedRequest): { claims: Record<string, unknown>; key: string } {
  const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization!)!;
  const [head, body, signature] = token!.split('.');
  const point = Buffer.from(key!, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  );
  if (!isValid) throw new Error('The signature is wrong.');
  return { claims: JSON.parse(Buffer.from(body!, 'base64url').toString()), key: key! };
}
