import { CreatePasskeyDocument, RequestPasskeyDocument } from '../api/documents.ts';
import { request } from '../api/transport.ts';

export const canCreatePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Has the browser create a key pair, whose public key is stored. Null: the person has cancelled. */
export async function createPasskey(name: string) {
  const { result } = await request(RequestPasskeyDocument, {});
  const options = result!.options as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey }).catch((error: DOMException) => {
    if (error.name === 'NotAllowedError') return null;
    // The device has one of these passkeys already.
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey of yours already.');
    throw error;
  });
  if (!credential) return null;
  const created = await request(CreatePasskeyDocument, {
    name,
    credential: (credential as PublicKeyCredential).toJSON(),
  });
  return created.result;
}
