import type { BrandImageInfo } from '../../branding/brand-image.js';
import type { Database } from '../../db/database.js';

/** An image of a brand by its hash, or the PNG of an SVG. */
export type RequiredImage = Pick<BrandImageInfo, 'hash' | 'format'>;

/** Null: the page has no such image. */
export async function loadImage(
  database: Pick<Database, 'query'>,
  pageId: string,
  { hash, format }: RequiredImage,
): Promise<Buffer | null> {
  const [row] = await database.query<{ bytes: Uint8Array | null }>(
    `select case when format = $3 then content else png end as bytes from brand_image
    where page_id = $1 and hash = $2 limit 1`,
    [pageId, hash, format],
  );
  return row?.bytes ? Buffer.from(row.bytes) : null;
}
