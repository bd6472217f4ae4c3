import { parseEmailAddress, parsePhoneNumber } from '../../core/address.js';
import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';

/** Somebody whose address the database has, and the records that are theirs. */
export interface FoundPerson {
  /** In its canonical form; the case is ignored. */
  address: string;
  /** A regular expression of PostgreSQL that matches the address, and no longer one that contains it. */
  pattern: string;
  subscriberIds: number[];
  /** Also of subscribers that had the address, or were deleted: the audit log has their fields. */
  loggedSubscriberIds: string[];
  /** The account of an operator. */
  personId: number | null;
}

/** Rows of one kind. */
export interface PersonDataCount {
  kind: string;
  count: number;
}

/** For the audit log. */
export const describeCounts = (counts: readonly PersonDataCount[]): string =>
  counts.flatMap(({ kind, count }) => (count ? `${count} ${kind}` : [])).join('; ') || 'nothing';

const addressCharacter = '[[:alnum:]!#$%&*+/=?^_{|}~-]';
/** Between two characters of an address; texts also quote addresses with two of them. */
const addressSeparator = "[.'`]";

function compilePattern(address: string): string {
  const escaped = address.replace(/[^\p{Letter}\p{Number}]/gu, String.raw`\$&`);
  const before = `${addressCharacter}|${addressCharacter}${addressSeparator}`;
  return `(?<!${before})${escaped}(?!${addressCharacter}|\\.${addressCharacter})`;
}

/** Throws for a text that is neither an e-mail address nor a phone number. */
export function parsePersonalAddress(text: string): string {
  const address = text.includes('@') ? parseEmailAddress(text) : parsePhoneNumber(text);
  if (address === null)
    throw invalid({
      address: [problems.invalid('must be an e-mail address, or a phone number with its country code')],
    });
  return address;
}

export async function findPerson(em: EntityManager, text: string): Promise<FoundPerson> {
  const address = parsePersonalAddress(text);
  const pattern = compilePattern(address);
  const [records] = await query<Omit<FoundPerson, 'address' | 'pattern'>>(
    em,
    `with own as materialized (
       select id from subscriber
       where page_id in (select id from page) and (lower(email) = lower($1) or phone_number = $1))
     select array(select id from own) as "subscriberIds",
       array(select id::text from own union
         select record_id from audit_change
         where record = 'Subscriber' and field in ('email', 'phoneNumber')
           and lower($1) in (lower(before), lower(after))
       ) as "loggedSubscriberIds",
       (select id from person where lower(email) = lower($1)) as "personId"`,
    [address],
  );
  return { address, pattern, ...records! };
}
