import { hash } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { createCredential } from '../../core/ids.js';
import type { Database } from '../../db/database.js';

const challengeLifetime = `interval '5 minutes'`;

const toHash = (challenge: string) => hash('sha256', challenge);

/** The challenge of a registration, or of a sign-in where there is no person yet. Its hash is stored. */
export async function createChallenge(database: Database, personId: number | null): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = createCredential();
  await database.query(
    `insert into passkey_challenge (hash, person_id, expires_at)
     values ($1, $2, clock_timestamp() + ${challengeLifetime})`,
    [toHash(challenge), personId],
  );
  return Uint8Array.from(Buffer.from(challenge, 'base64url'));
}

/** Uses up the challenge that was signed, even by an invalid signature. Null: unknown, or for another purpose. */
export async function takeChallenge(
  database: Database,
  { response }: RegistrationResponseJSON | AuthenticationResponseJSON,
  personId: number | null,
): Promise<string | null> {
  const challenge = readChallenge(response?.clientDataJSON);
  if (challenge === null) return null;
  const [taken] = await database.query<{ isValid: boolean }>(
    `delete from passkey_challenge where hash = $1 and person_id is not distinct from $2
     returning expires_at > clock_timestamp() as "isValid"`,
    [toHash(challenge), personId],
  );
  return taken?.isValid ? challenge : null;
}

function readChallenge(clientData: unknown): string | null {
  try {
    const { challenge, crossOrigin } = JSON.parse(Buffer.from(String(clientData), 'base64url').toString());
    // A frame of this service in a page of another origin, which may hide what a person agrees to.
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}
