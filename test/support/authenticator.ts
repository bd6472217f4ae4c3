import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

/** What an attacker, or a broken browser, would do otherwise than an authenticator. */
export interface Deviations {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** User present 1, user verified 4, backup eligible 8, backed up 16, attested data 64. */
  flags?: number;
  counter?: number;
  userHandle?: string;
  /** Signs with another key. */
  key?: KeyObject;
  credentialId?: string;
}

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}
interface RequestOptions {
  challenge: string;
  rpId?: string;
}

/** An authenticator in software, with one discoverable credential: its signatures are real. */
export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly credentialId = base64url(randomBytes(32));
  private userHandle = '';
  private counter = 0;
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  get privateKey(): KeyObject {
    return this.keys.privateKey;
  }

  create({ challenge, rp, user }: CreationOptions, deviations: Deviations = {}): object {
    this.userHandle = user.id;
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as [number, number][]),
      [-2, Uint8Array.from(Buffer.from(x!, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y!, 'base64url'))],
    ]);
    const id = Buffer.from(deviations.credentialId ?? this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key as never)]);
    const authData = Buffer.concat([
      toAuthenticatorData(deviations.rpId ?? rp.id!, deviations.flags ?? 0x45, deviations.counter ?? this.counter),
      attested,
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Uint8Array.from(authData)],
    ]);
    return this.toCredential(deviations, {
      clientDataJSON: this.toClientData('webauthn.create', challenge, deviations),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal', 'hybrid'],
    });
  }

  get({ challenge, rpId }: RequestOptions, deviations: Deviations = {}): object {
    this.counter += 1;
    const authenticatorData = toAuthenticatorData(
      deviations.rpId ?? rpId!,
      deviations.flags ?? 0x05,
      deviations.counter ?? this.counter,
    );
    const clientDataJSON = this.toClientData('webauthn.get', challenge, deviations);
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.toCredential(deviations, {
      clientDataJSON,
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, deviations.key ?? this.privateKey)),
      userHandle: deviations.userHandle ?? this.userHandle,
    });
  }

  private toClientData(type: string, challenge: string, deviations: Deviations): string {
    const data = { type, challenge, origin: this.origin, crossOrigin: false };
    const { type: otherType, challenge: otherChallenge, origin, crossOrigin } = deviations;
    const given = { type: otherType, challenge: otherChallenge, origin, crossOrigin };
    return base64url(JSON.stringify({ ...data, ...JSON.parse(JSON.stringify(given)) }));
  }

  private toCredential({ credentialId = this.credentialId }: Deviations, response: object): object {
    const id = { id: credentialId, rawId: credentialId };
    return { ...id, type: 'public-key', response, clientExtensionResults: {}, authenticatorAttachment: 'platform' };
  }
}

function toAuthenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
}
