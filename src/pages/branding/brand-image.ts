import { hashImage, measureImage } from '../images/measure.js';
import { RasterFailure, type Rasterize } from '../../content/raster/rasterizer.js';
import { SvgTooComplex, sanitizeSvg } from './svg.js';

/** The images of a brand. `logoDark` replaces the logo in the dark scheme. */
export const brandImageRoles = ['logo', 'logoDark', 'favicon'] as const;
export type BrandImageRole = (typeof brandImageRoles)[number];

const formats = ['svg', 'png', 'webp'] as const;
export type BrandImageFormat = (typeof formats)[number];

/** An image of a brand, without its bytes. */
export interface BrandImageInfo {
  format: BrandImageFormat;
  /** Of the bytes: it is a part of the URL. */
  hash: string;
  width: number;
  height: number;
}

export interface ReadBrandImage extends BrandImageInfo {
  content: Buffer;
  /** An SVG as PNG, for mail and chat, which show no SVG. Null for other formats. */
  png: Buffer | null;
}

const maxImageBytes = 256 * 1024;
/** Twice the height in which a logo is shown. */
const pngHeight = 96;
const maxPixels = 4_096;
const maxAspectRatio = 20;

/** The message is for the one who uploads the image. */
export class BrandImageError extends Error {}

/** Checks an uploaded image, and sanitizes an SVG. Throws a BrandImageError. */
export async function readBrandImage(bytes: Buffer, rasterize: Rasterize): Promise<ReadBrandImage> {
  if (bytes.length > maxImageBytes)
    throw new BrandImageError(`is larger than ${maxImageBytes / 1024} kB (${maxImageBytes} bytes)`);
  const measured = measureImage(bytes, formats);
  if (!measured) throw notAnImage();
  const { format, width, height } = measured;
  if (width > maxPixels || height > maxPixels)
    throw new BrandImageError(`is larger than ${maxPixels} × ${maxPixels} pixels`);
  // As a PNG of a fixed height, a very wide image would take gigabytes of memory.
  if (width > maxAspectRatio * height)
    throw new BrandImageError(`is more than ${maxAspectRatio} times as wide as high`);
  const svg = format === 'svg' ? readSvg(bytes.toString()) : null;
  const content = svg === null ? bytes : Buffer.from(svg);
  const png = svg === null ? null : await rasterizeLogo(svg, rasterize);
  return { format, hash: hashImage(content), width, height, content, png };
}

const notAnImage = () => new BrandImageError('is not an SVG, PNG or WebP image');

function readSvg(text: string): string {
  try {
    const svg = sanitizeSvg(text);
    if (svg === null) throw notAnImage();
    return svg;
  } catch (error) {
    if (error instanceof SvgTooComplex) throw new BrandImageError(error.message);
    throw error;
  }
}

async function rasterizeLogo(svg: string, rasterize: Rasterize): Promise<Buffer> {
  try {
    return await rasterize({ svg, fitTo: { mode: 'height', value: pngHeight } });
  } catch (error) {
    if (error instanceof RasterFailure) throw new BrandImageError(error.message);
    throw error;
  }
}

const fileNames: Record<BrandImageRole, string> = { logo: 'logo', logoDark: 'logo-dark', favicon: 'favicon' };

/** A logo that is shown in the dark scheme, too, was made for the light one. */
export const hasLightLogoOnly = (images: Partial<Record<'logo' | 'logoDark', unknown>> = {}): boolean =>
  Boolean(images.logo) && !images.logoDark;

/** Relative to the mount of a page. */
export const getBrandImagePath = (role: BrandImageRole, { hash, format }: Pick<BrandImageInfo, 'hash' | 'format'>) =>
  `brand/${hash}/${fileNames[role]}.${format}`;

/** The path for mail and chat, which show no SVG. */
export const getMessageImagePath = (role: BrandImageRole, image: Pick<BrandImageInfo, 'hash' | 'format'>) =>
  getBrandImagePath(role, { ...image, format: image.format === 'svg' ? 'png' : image.format });

/** The same path in SQL. Mail and chat get the PNG of an SVG. */
export const brandImagePathSql = (image: string, isForMessages = false) =>
  `'/brand/' || ${image}.hash || '/' || case ${image}.role ${brandImageRoles
    .map(role => `when '${role}' then '${fileNames[role]}'`)
    .join(' ')} end || '.' || ${
    isForMessages ? `case ${image}.format when 'svg' then 'png' else ${image}.format end` : `${image}.format`
  }`;
