import type { Role } from '../../src/auth/roles.js';
import { createSignInCode } from '../../src/auth/session.service.js';
import { serviceOrigin } from '../../src/db/audit.js';
import { invitePerson } from '../../src/people/person.service.js';
import { Writer } from '../../src/records/writer.js';
import type { TestService } from './service.js';

/** The PUBLIC_URL of a service in whose pages people sign in. */
export const peopleOrigin = 'https://status.example.com';

export interface SignedInPerson {
  email: string;
  personId: number;
  cookie: string;
}

let count = 0;

/** Invites a person, who signs in. Without `pageIds` the role is for all pages. */
export async function signIn(
  { database, call }: TestService,
  role: Role = 'owner',
  pageIds: string[] | null = null,
  origin = peopleOrigin,
): Promise<SignedInPerson> {
  const email = `somebody-${++count}@example.com`;
  const write = new Writer(database, { origin: serviceOrigin('command', 'test') });
  const personId = await write.transaction(unit => invitePerson(unit, email, role, pageIds));
  const code = await createSignInCode(database, personId);
  const response = await call('POST', `/sign-in/${code}`, { token: null, headers: { origin } });
  return { email, personId, cookie: response.headers.get('set-cookie')!.split(';')[0]! };
}

/** Asks /graphql as a person, from a page of the service. */
export const askAs = async (
  { graphql }: TestService,
  { cookie }: Pick<SignedInPerson, 'cookie'>,
  query: string,
  variables: Record<string, unknown> = {},
) => (await graphql(query, variables, { token: null, headers: { cookie, origin: peopleOrigin } })).json;

export const codeOf = (json: { errors?: { extensions: { code: string } }[] }): string | undefined =>
  json.errors?.[0]?.extensions.code;
