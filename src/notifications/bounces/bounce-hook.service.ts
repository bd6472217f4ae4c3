import { createCredential } from '../../core/ids.js';
import { hashToken } from '../../auth/token.service.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import type { Writer } from '../../records/writer.js';

/** The address at which providers report bounces: one of the installation, as MAIL_FROM is. */

export const bounceHookPath = '/hooks/bounces/';

export async function isBounceToken(database: Pick<Database, 'query'>, token: string): Promise<boolean> {
  const rows = await database.query('select from bounce_hook where hash = $1', [hashToken(token)]);
  return rows.length > 0;
}

/** Returns the token of a new address. The one before it ends at once. */
export const rotateBounceHook = (write: Writer): Promise<string> =>
  write.transaction(async unit => {
    const token = createCredential();
    await query(
      unit.em,
      `insert into bounce_hook (id, hash, created_at) values (1, $1, clock_timestamp())
       on conflict (id) do update set hash = excluded.hash, created_at = excluded.created_at`,
      [hashToken(token)],
    );
    unit.describeChange('BounceHook', '1', { lastFour: { after: token.slice(-4) } }, null);
    return token;
  });

/** Returns whether there was one. */
export const deleteBounceHook = (write: Writer): Promise<boolean> =>
  write.transaction(async unit => {
    const rows = await query(unit.em, 'delete from bounce_hook returning id');
    if (rows.length) unit.describeChange('BounceHook', '1', { lastFour: { after: null } }, null);
    return rows.length > 0;
  });
