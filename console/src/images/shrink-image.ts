/** Wider images are not shown wider, and are mostly screenshots of two pixels a point. */
const maxWidth = 1_600;
const maxHeight = 4_000;
const maxBytes = 2 * 1024 * 1024;

/**
 * Draws an image again, at most 1,600 pixels wide: only its pixels are left, without where and by whom a photo was
 * taken. A GIF stays as it is if it is small enough, since it may move; it has no such data.
 */
export async function shrinkImage(file: Blob): Promise<Blob> {
  if (file.type === 'image/gif' && file.size <= maxBytes) return file;
  const image = await createImageBitmap(file).catch(() => {
    throw new Error('This file is not an image that the browser can read.');
  });
  const scale = Math.min(1, maxWidth / image.width, maxHeight / image.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  // Text stays sharp in a PNG; a photo is too large for one, and JPEG is what every browser writes.
  const png = file.type === 'image/jpeg' ? null : await encode(canvas, 'image/png');
  const result = png && png.size <= maxBytes ? png : await encode(canvas, 'image/jpeg');
  if (!result) throw new Error('This image is too large for the browser.');
  return result;
}

const encode = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>(resolve => canvas.toBlob(resolve, type, 0.85));
