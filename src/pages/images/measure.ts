import { createHash } from 'node:crypto';
import { disableTypes, imageSize, types } from 'image-size';

/** The formats of images that people upload. Each use allows some of them. */
export const imageTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  gif: 'image/gif',
} as const;
export type ImageFormat = keyof typeof imageTypes;

disableTypes(types.filter(type => !(type in imageTypes)));

/** Headers come first. Reading the segments of a JPEG of 2 MB can take 200 ms. */
const headerBytes = 512 * 1024;

/** From this value of its EXIF on, an image is shown turned by 90 degrees. */
const firstTurnedOrientation = 5;

/** By what the bytes say, whatever the name of the file is. Null: not an image in one of the formats. */
export function measureImage<Format extends ImageFormat>(
  bytes: Buffer,
  formats: readonly Format[],
): { format: Format; width: number; height: number } | null {
  try {
    const { type, width, height, orientation = 1 } = imageSize(bytes.subarray(0, headerBytes));
    const format = formats.find(name => name === type);
    if (!format || !(width >= 1 && height >= 1)) return null;
    const size = [Math.round(width), Math.round(height)] as [number, number];
    const [shownWidth, shownHeight] = orientation < firstTurnedOrientation ? size : (size.toReversed() as typeof size);
    return { format, width: shownWidth, height: shownHeight };
  } catch {
    return null;
  }
}

/** A part of the URL of an image, so that it may be cached for as long as a browser likes. */
export const hashImage = (content: Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 16);
