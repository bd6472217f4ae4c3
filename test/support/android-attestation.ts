import 'reflect-metadata';
import { createHash, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { AuthorizationList, KeyDescription } from '@peculiar/asn1-android';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/x509';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/**
 * A credential with an attestation of Android whose certificates are of its author. They fit all that is checked before
 * the list of revoked certificates, which they name at a URL.
 */
export async function withAndroidAttestation(credential: object, privateKey: KeyObject, url: string): Promise<object> {
  const given = credential as { response: { clientDataJSON: string; attestationObject: string } };
  x509.cryptoProvider.set(webcrypto as Crypto);
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = (await webcrypto.subtle.importKey('jwk', jwk, algorithm, true, ['verify'])) as CryptoKey;
  const clientDataHash = createHash('sha256').update(Buffer.from(given.response.clientDataJSON, 'base64url')).digest();
  const description = new KeyDescription({
    attestationChallenge: new OctetString(clientDataHash),
    uniqueId: new OctetString(new Uint8Array()),
    softwareEnforced: new AuthorizationList(),
    teeEnforced: new AuthorizationList(),
  });
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=root',
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true)],
  });
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=leaf',
    issuer: root.subject,
    publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.Extension('1.3.6.1.4.1.11129.2.1.17', false, AsnConvert.serialize(description)),
      new x509.CRLDistributionPointsExtension([url]),
    ],
  });
  const { attestationObject } = given.response;
  const attestation = new Map<string, unknown>([
    ['fmt', 'android-key'],
    [
      'attStmt',
      new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(70)],
        ['x5c', [leaf, root].map(({ rawData }) => new Uint8Array(rawData))],
      ]),
    ],
    ['authData', decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')],
  ]);
  const encoded = isoBase64URL.fromBuffer(isoCBOR.encode(attestation as never));
  return { ...credential, response: { ...given.response, attestationObject: encoded } };
}
