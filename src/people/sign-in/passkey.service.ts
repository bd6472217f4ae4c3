import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PersonCaller } from '../../auth/access.js';
import { beginSession, type SignedIn, type SignInBrowser } from '../../auth/session.service.js';
import { invalid, notFound } from '../../core/errors.js';
import { isPossibleKey } from '../../core/ids.js';
import { problems } from '../../core/problems.js';
import { isBlank, validateText } from '../../core/validation.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction } from '../../db/transaction.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { createChallenge, takeChallenge } from './passkey-challenge.js';
import type { RelyingParty } from './relying-party.js';

const timeout = 300_000;
const maxPasskeys = 20;
/** EdDSA, ES256, RS256. By default the library adds one that Node supports as an experiment, and warns of. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Loaded when somebody first uses a passkey: its 250 modules are a tenth of what a start would load. */
const loadLibrary = () => import('@simplewebauthn/server');

/** The options of `navigator.credentials.create` for a person. The user handle is the id, which says nothing else. */
export async function beginRegistration(
  database: Database,
  party: RelyingParty,
  personId: number,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const [person] = await database.query<{ email: string; credentials: string[] }>(
    `select p.email, coalesce((select json_agg(credential_id) from passkey where person_id = p.id), '[]') as credentials
     from person p where p.id = $1`,
    [personId],
  );
  if (!person) throw notFound('person');
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: 'All Clear',
    rpID: party.id,
    timeout,
    attestationType: 'none',
    userName: person.email,
    userDisplayName: person.email,
    userID: toUserHandle(personId),
    challenge: await createChallenge(database, personId),
    supportedAlgorithmIDs,
    excludeCredentials: person.credentials.map(id => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

const toExpectations = ({ id, origin }: RelyingParty, expectedChallenge: string) => ({
  expectedChallenge,
  expectedOrigin: origin,
  expectedRPID: id,
  requireUserVerification: true,
});

const toUserHandle = (personId: number) => Uint8Array.from(Buffer.from(String(personId)));

/** Adds the passkey that a browser has created for a person. Returns its id. */
export async function addPasskey(
  { database, write }: { database: Database; write: Writer },
  party: RelyingParty,
  { personId }: PersonCaller,
  { name, credential }: { name: string; credential: unknown },
): Promise<number> {
  const response = (credential ?? {}) as RegistrationResponseJSON;
  const expectedChallenge = await takeChallenge(database, response, personId);
  if (expectedChallenge === null) throw refusedCredential();
  const verified = await verifyRegistration(response, party, expectedChallenge).catch(() => null);
  if (!verified?.verified) throw refusedCredential();
  const { credential: key, credentialBackedUp } = verified.registrationInfo;
  return write.transaction(async unit => {
    validateName(unit, name);
    const { em, validation } = unit;
    const [held] = await query<{ count: number }>(
      em,
      'select count(*)::int as count from passkey where person_id = $1',
      [personId],
    );
    if (held!.count >= maxPasskeys)
      validation.addError('credential', problems.unusable(`exceeds the limit of ${maxPasskeys}.`));
    validation.throwIfInvalid();
    const [added] = await query<{ id: number }>(
      em,
      `insert into passkey (person_id, credential_id, public_key, counter, transports, name, is_backed_up, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp()) on conflict (credential_id) do nothing returning id`,
      [
        personId,
        key.id,
        Buffer.from(key.publicKey),
        key.counter,
        toTransports(response),
        name.trim(),
        credentialBackedUp,
      ],
    );
    if (!added) throw refusedCredential();
    unit.describeChange('Passkey', String(added.id), { name: { after: name.trim() } });
    return added.id;
  });
}

async function verifyRegistration(response: RegistrationResponseJSON, party: RelyingParty, expectedChallenge: string) {
  const { verifyRegistrationResponse } = await loadLibrary();
  return verifyRegistrationResponse({
    response: await withoutAttestation(response),
    ...toExpectations(party, expectedChallenge),
    supportedAlgorithmIDs,
  });
}

/**
 * The same without an attestation, which nobody has asked for: to check one, the library loads lists of revoked
 * certificates of any length from all URLs that the certificates name, also in private networks.
 */
async function withoutAttestation(given: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(given.response.attestationObject)).get('authData');
  const fields = { fmt: 'none', attStmt: new Map(), authData };
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(fields))));
  return { ...given, response: { ...given.response, attestationObject } };
}

const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
const toTransports = ({ response }: RegistrationResponseJSON): string[] =>
  Array.isArray(response.transports) ? response.transports.filter(one => transports.includes(one)) : [];

const refusedCredential = () =>
  invalid({ credential: [problems.unusable('is not valid, was used, or is older than 5 minutes. Begin again.')] });

function validateName({ validation }: Unit, name: string): void {
  if (isBlank(name)) validation.addError('name', problems.blank);
  else validateText(validation, 'name', name, 255);
}

/** The options of `navigator.credentials.get`: for any passkey of this service, so that nobody types an address. */
export async function beginAuthentication(
  database: Database,
  party: RelyingParty,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await createChallenge(database, null);
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({ rpID: party.id, challenge, timeout, userVerification: 'required' });
}

interface StoredPasskey {
  id: number;
  personId: number;
  publicKey: Buffer;
  counter: string;
}

/** Begins a session of the person whose passkey has signed a challenge of this service. Null for any other. */
export async function signInWithPasskey(
  database: Database,
  party: RelyingParty,
  credential: unknown,
  browser: SignInBrowser,
): Promise<SignedIn | null> {
  const response = (credential ?? {}) as AuthenticationResponseJSON;
  const expectedChallenge = await takeChallenge(database, response, null);
  if (expectedChallenge === null) return null;
  const credentialId = typeof response.id === 'string' ? response.id : '';
  const [passkey] = await database.query<StoredPasskey>(
    `select id, person_id as "personId", public_key as "publicKey", counter from passkey where credential_id = $1`,
    [credentialId.replaceAll('\0', '')],
  );
  if (!passkey) return null;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const verified = await verifyAuthenticationResponse({
    response,
    ...toExpectations(party, expectedChallenge),
    credential: {
      id: credentialId,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: Number(passkey.counter),
    },
  }).catch(() => null);
  if (!verified?.verified || !isOfPerson(response, passkey.personId)) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return inTransaction(database, async em => {
    // The passkey may have been deleted, or the counter raised by a copy, since it was read.
    const [used] = await query(
      em,
      `update passkey set counter = $2, is_backed_up = $3, last_used_at = clock_timestamp()
       where id = $1 and counter = $4 returning id`,
      [passkey.id, newCounter, credentialBackedUp, passkey.counter],
    );
    if (!used) return null;
    return beginSession(em, passkey.personId, 'signInWithPasskey', browser);
  });
}

/** Discoverable passkeys return the user handle that they were created with; for others it is null or absent. */
const isOfPerson = ({ response: { userHandle } }: AuthenticationResponseJSON, personId: number): boolean =>
  (userHandle ?? null) === null || Buffer.from(String(userHandle), 'base64url').equals(toUserHandle(personId));

export const renamePasskey = (write: Writer, { personId }: PersonCaller, id: string, name: string): Promise<number> =>
  write.transaction(async unit => {
    validateName(unit, name);
    unit.validation.throwIfInvalid();
    const [renamed] = await query<{ before: string; id: number }>(
      unit.em,
      `update passkey set name = $3 from (select id, name from passkey where id = $1 and person_id = $2 for update) old
       where passkey.id = old.id returning passkey.id, old.name as before`,
      [toId(id), personId, name.trim()],
    );
    if (!renamed) throw notFound('passkey');
    unit.describeChange('Passkey', id, { name: { before: renamed.before, after: name.trim() } });
    return renamed.id;
  });

/** Deletes a passkey of the signed-in person: nobody can sign in with it any more. */
export const deletePasskey = (write: Writer, { personId }: PersonCaller, id: string): Promise<void> =>
  write.transaction(async unit => {
    const [deleted] = await query<{ name: string }>(
      unit.em,
      'delete from passkey where id = $1 and person_id = $2 returning name',
      [toId(id), personId],
    );
    if (!deleted) throw notFound('passkey');
    unit.describeChange('Passkey', id, { name: { before: deleted.name } });
  });

const toId = (id: string): number => (isPossibleKey(id) ? Number(id) : 0);
