import { keyedHash } from '../core/keyed-hash.js';
import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { splitByWeight, weighRows } from '../db/weighted-batches.js';

/** An address that unsubscribed from a page: its keyed hash is stored longer than the address. */
interface PageAddress {
  pageId: string;
  /** As the database compares it: in lower case. */
  address: string;
}

async function hashAddresses(em: EntityManager, addresses: readonly PageAddress[]): Promise<string[]> {
  const ids = addresses.map(({ pageId }) => pageId);
  const sql = 'select id, link_key as key from page where id = any($1)';
  const pages = await query<{ id: string; key: string }>(em, sql, [ids]);
  const keys = new Map(pages.map(({ id, key }) => [id, Buffer.from(key, 'hex')]));
  return addresses.map(({ pageId, address }) => keyedHash(keys.get(pageId)!, 'unsubscribed address', address));
}

export async function rememberUnsubscribed(em: EntityManager, addresses: readonly PageAddress[]): Promise<void> {
  await query(
    em,
    `insert into unsubscribed_address (page_id, hash) select * from unnest($1::text[], $2::text[])
     on conflict do nothing`,
    [addresses.map(({ pageId }) => pageId), await hashAddresses(em, addresses)],
  );
}

/** The subscribers who unsubscribed more than `$1` days ago. */
export const oldUnsubscribedSql = `
  select id, page_id as "pageId", array_remove(array[lower(email), phone_number], null) as addresses from subscriber
  where unsubscribed_at < clock_timestamp() - $1::integer * interval '1 day'`;

/** Deletes at most `limit` of them, and remembers their addresses as hashes. */
export async function deleteUnsubscribed(
  em: EntityManager,
  days: number,
  limit: number,
): Promise<{ count: number; hasMore: boolean }> {
  const rows = await query<{ id: number; pageId: string; addresses: string[] }>(
    em,
    `${oldUnsubscribedSql} limit $2 for update skip locked`,
    [days, limit],
  );
  const weights = await weighRows(
    em,
    'subscriber',
    rows.map(({ id }) => id),
  );
  const [batch = []] = splitByWeight(rows, ({ id }) => weights.get(id)!, limit);
  if (!batch.length) return { count: 0, hasMore: false };
  await rememberUnsubscribed(
    em,
    batch.flatMap(({ pageId, addresses }) => addresses.map(address => ({ pageId, address }))),
  );
  await query(em, 'delete from subscriber where id = any($1::integer[])', [batch.map(({ id }) => id)]);
  return { count: batch.length, hasMore: rows.length === limit || batch.length < rows.length };
}

/** Those of the addresses that unsubscribed from a page, and whose subscribers were deleted since. */
export async function findUnsubscribed(
  em: EntityManager,
  pageId: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  // Most pages have none.
  const [first] = await query(em, 'select 1 from unsubscribed_address where page_id = $1 limit 1', [pageId]);
  if (!first) return new Set();
  const hashes = await hashAddresses(
    em,
    addresses.map(address => ({ pageId, address })),
  );
  const rows = await query<{ hash: string }>(
    em,
    'select hash from unsubscribed_address where page_id = $1 and hash = any($2::text[])',
    [pageId, hashes],
  );
  const unsubscribed = new Set(rows.map(({ hash }) => hash));
  return new Set(addresses.filter((_, index) => unsubscribed.has(hashes[index]!)));
}
