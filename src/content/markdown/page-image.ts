/** The formats of images in texts. An SVG is a document, and mail and chat show none. */
export const pageImageFormats = ['png', 'jpg', 'gif', 'webp'] as const;
type PageImageFormat = (typeof pageImageFormats)[number];

/** What the URL of an uploaded image says. */
export interface PageImage {
  /** Of the bytes. */
  hash: string;
  width: number;
  height: number;
  format: PageImageFormat;
}

/** Relative to the mount of its page. The size is in it, so that a renderer needs to look up nothing. */
export const getPageImagePath = ({ hash, width, height, format }: PageImage): string =>
  `images/${hash}-${width}x${height}.${format}`;

const name = `[0-9a-f]{16}-[1-9]\\d{0,3}x[1-9]\\d{0,3}\\.(?:${pageImageFormats.join('|')})`;
const pathPattern = /^images\/([0-9a-f]{16})-(\d+)x(\d+)\.(\w+)$/;
const urlPattern = new RegExp(`^https?://[\\w.:-]{1,255}/(?:status/[0-9a-f]{8}/)?(images/${name})$`);

/**
 * The path of an image in a text, relative to the mount of its page; null: it is none of a page. The host is not
 * compared, since a page may get another domain: the renderer replaces it by the page's own, so that a text cannot make
 * readers load anything from elsewhere.
 */
export const findPageImagePath = (url: string): string | null => urlPattern.exec(url)?.[1] ?? null;

/** Null: it is the path of no image. */
export function parsePageImagePath(path: string): PageImage | null {
  const [, hash, width, height, format] = pathPattern.exec(path) ?? [];
  if (!hash || !pageImageFormats.includes(format as PageImageFormat)) return null;
  return { hash, width: Number(width), height: Number(height), format: format as PageImageFormat };
}

/** The paths of all images that a text may refer to. */
export const listPageImagePaths = (text: string): string[] => text.match(new RegExp(`\\bimages/${name}`, 'g')) ?? [];
