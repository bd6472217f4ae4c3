import { createFirstToken } from '../auth/token.service.js';
import type { Settings } from '../core/config.js';
import { serviceOrigin } from '../db/audit.js';
import type { Database } from '../db/database.js';
import { parsePersonAddress, unnamedOwner } from '../people/person-address.js';
import { invitePerson } from '../people/person.service.js';
import { createSignInLink } from '../people/sign-in-link.js';
import { Writer } from '../records/writer.js';

/** The operator's access to an empty database. It cannot be shown again. */
export interface FirstAccess {
  token: string;
  email: string;
  /** Signs the owner of all pages in, once, within 15 minutes. */
  link: string;
}

/** Creates a token and an owner of all pages on a database that has never had a token. */
export async function createFirstAccess(
  database: Database,
  settings: Pick<Settings, 'operatorEmail' | 'publicUrl' | 'consoleUrl' | 'port'>,
): Promise<FirstAccess | undefined> {
  const token = await createFirstToken(database);
  if (!token) return undefined;
  const email = parsePersonAddress(settings.operatorEmail) ?? unnamedOwner;
  const write = new Writer(database, { origin: serviceOrigin('command', 'invitePerson') });
  const personId = await write.transaction(unit => invitePerson(unit, email, 'owner', null));
  return { token, email, link: await createSignInLink(database, settings, personId) };
}
