import { createDigitCode } from '../core/ids.js';
import { isSameHash, keyedHash } from '../core/keyed-hash.js';
import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';

/** What the owner of an address may do with a code that was sent there. */
type CodePurpose = 'sign_in' | 'view_page' | 'confirm_phone';

const maxTries = 5;
const minutes: Record<CodePurpose, number> = { sign_in: 15, view_page: 10, confirm_phone: 10 };
/**
 * An address has 3,600 tries to sign in within a day: with 6 digits, one day in 280 would guess a code. A page
 * has more, for all addresses of its domain.
 */
const digits: Record<CodePurpose, number> = { sign_in: 8, view_page: 8, confirm_phone: 6 };

/** The holder of an address, and the purpose of the code that proves it. */
interface CodeHolder {
  purpose: CodePurpose;
  scope: string;
  subject: string;
}

const hashCode = (key: Buffer, { purpose, scope, subject }: CodeHolder, code: string) =>
  keyedHash(key, 'one-time code', purpose, scope, subject, code);

/** Creates a code of digits, or takes one that another holder has, too, and invalidates the one before. */
export async function issueCode(
  em: EntityManager,
  key: Buffer,
  holder: CodeHolder,
  network: string | null = null,
  code = createDigitCode(digits[holder.purpose]),
): Promise<string> {
  await query(
    em,
    `insert into one_time_code (purpose, scope, subject, network, hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + make_interval(mins => $6))`,
    [holder.purpose, holder.scope, holder.subject, network, hashCode(key, holder, code), minutes[holder.purpose]],
  );
  return code;
}

/**
 * Uses the newest code of a holder up. False if the code is wrong, used, expired or tried too often. Every try is
 * counted before the code is compared; the row stays locked until the commit: of two requests one uses the code.
 */
export async function redeemCode(em: EntityManager, key: Buffer, holder: CodeHolder, code: string): Promise<boolean> {
  const [issued] = await query<{ id: number; hash: string }>(
    em,
    `update one_time_code set tries = tries + 1
     where id = (select id from one_time_code where purpose = $1 and scope = $2 and subject = $3
       order by id desc limit 1) and tries < ${maxTries} and expires_at > clock_timestamp()
     returning id, hash`,
    [holder.purpose, holder.scope, holder.subject],
  );
  if (!issued || !isSameHash(issued.hash, hashCode(key, holder, code))) return false;
  await query(em, 'update one_time_code set expires_at = created_at where id = $1', [issued.id]);
  return true;
}
