import type { Database } from '../../db/connection.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';

/** By the id of the publication. */
export async function loadSnapshots(
  database: Database,
  publicationIds: readonly number[],
): Promise<Map<number, MessageSnapshot>> {
  const rows = await database.query<{ id: number; snapshot: MessageSnapshot }>(
    'select id, message_snapshot as snapshot from publication where id = any($1::integer[])',
    [publicationIds],
  );
  return new Map(rows.map(({ id, snapshot }) => [id, snapshot]));
}
