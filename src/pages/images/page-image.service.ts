import { problems, type Problem } from '../../core/problems.js';
import { query } from '../../db/prepared-statements.js';
import { getPageImagePath, type PageImage, pageImageFormats } from '../../content/markdown/page-image.js';
import { Page } from '../page.entity.js';
import { publicUrlSql } from '../public-url.js';
import type { Writer } from '../../records/writer.js';
import { hashImage, measureImage } from './measure.js';

interface UploadedImage {
  url: string;
  markdown: string;
  width: number;
  height: number;
}

const maxMegabytes = 2;
const maxSide = 4_096;
/** Together with `maxMegabytes` what a page can take of the database. */
const maxImagesPerPage = 500;

/** Inserts nothing where the page has the image already, and where it has too many. */
const insertSql = `
  with present as (select 1 from page_image where page_id = $1 and hash = $2), added as (
    insert into page_image (page_id, hash, format, width, height, bytes, content)
    select $1, $2, $3, $4, $5, length($6::bytea), $6
    where not exists (select from present)
      and (select count(*) from page_image where page_id = $1) < ${maxImagesPerPage}
    returning 1)
  select ${publicUrlSql('$1')} as address, exists (select from present union all select from added) as "isStored"`;

/** Stores an image for the texts of a page, once, however often it is uploaded. */
export function uploadImage(write: Writer, pageId: string, data: Buffer): Promise<UploadedImage> {
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    const image = readImage(data);
    if ('code' in image) unit.validation.addError('data', image);
    unit.validation.throwIfInvalid();
    const { hash, format, width, height } = image as PageImage;
    const values = [pageId, hash, format, width, height, data];
    const [row] = await query<{ address: string; isStored: boolean }>(unit.em, insertSql, values);
    if (!row!.isStored)
      unit.validation.addError('data', problems.unusable(`is more than the ${maxImagesPerPage} images of a page`));
    unit.validation.throwIfInvalid();
    await unit.save();
    const url = `${row!.address}/${getPageImagePath(image as PageImage)}`;
    return { url, markdown: `![](${url})`, width, height };
  });
}

function readImage(data: Buffer): PageImage | Problem {
  if (data.length > maxMegabytes * 1024 * 1024) return problems.unusable(`is larger than ${maxMegabytes} MB`);
  const measured = measureImage(data, pageImageFormats);
  if (!measured) return problems.unusable('is not a PNG, JPEG, GIF or WebP image');
  if (Math.max(measured.width, measured.height) > maxSide)
    return problems.unusable(`is larger than ${maxSide} × ${maxSide} pixels`);
  return { ...measured, hash: hashImage(data) };
}
