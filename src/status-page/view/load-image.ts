import type { Database } from '../../db/database.js';
import type { ImageFormat } from '../../pages/images/measure.js';

/** An image of a brand by its hash, or the PNG of an SVG; or an image of a text, by its hash and size. */
export interface RequiredImage {
  hash: string;
  format: ImageFormat;
}

/** Null: the page has no such image. */
export async function loadImage(
  database: Pick<Database, 'query'>,
  pageId: string,
  { hash, format }: RequiredImage,
): Promise<Buffer | null> {
  const [row] = await database.query<{ bytes: Uint8Array | null }>(
    `select case when format = $3 then content else png end as bytes from brand_image
    where page_id = $1 and hash = $2
    union all select content from page_image
    where page_id = $1 and hash = left($2, 16) and format = $3 and hash || '-' || width || 'x' || height = $2 limit 1`,
    [pageId, hash, format],
  );
  return row?.bytes ? Buffer.from(row.bytes) : null;
}
