import { webcrypto } from 'node:crypto';
import { extname } from 'node:path';
import type { ThemeFiles } from '../../branding/theme-archive.js';
import type { Drawing } from '../server/public-route.js';

/** A file that the pages of a theme ask for, at an address that is another one when the file is. */
export interface ThemeAsset extends Drawing {
  body: Buffer;
  /** Below the place of the page: `theme/3f2a9c01b7e4d586/logo.svg`. Not encoded. */
  path: string;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.eot': 'application/vnd.ms-fontobject',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
};

/** A theme's script runs on the page's own host. Below a path of the service it gets an origin of its own, never that of /graphql. */
export const sandbox = 'sandbox allow-scripts allow-forms allow-popups';

/** Opened by itself a picture is a document, and could hold script. */
const picture = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const extensionOf = (name: string) => extname(name).toLowerCase();

/** Pictures name colours of the page as style sheets do: themes in the field fill them with `{{ page.brand.color_body_text }}`. */
export const isPicture = (name: string) => extensionOf(name) === '.svg';

/** Whether the asset is a template itself, and drawn with the page; the others are served as they came. */
export const isTemplate = (name: string, bytes: Buffer): boolean =>
  extensionOf(name) === '.css' ||
  (isPicture(name) && bytes.length <= largestTemplate && /\{[{%]/.test(bytes.toString()));

/** Bytes. */
export const largestTemplate = 1024 * 1024;

/** `below`: the path of the service under which the page is served, where it has no host of its own. */
export function assetOf(name: string, hash: string, body: Buffer, isBelow: boolean): ThemeAsset {
  const type = types[extensionOf(name)] ?? 'application/octet-stream';
  const policy = type === types['.svg'] ? picture : isBelow ? sandbox : null;
  return {
    path: `theme/${hash}/${name}`,
    type,
    body,
    // An origin of its own is nobody's: fonts and modules are then fetched from elsewhere.
    headers: { 'Access-Control-Allow-Origin': '*', ...(policy && { 'Content-Security-Policy': policy }) },
  };
}

const hashes = new WeakMap<ThemeFiles, Promise<Map<string, string>>>();

/** Of the files that are served as they came. Not on this thread: there may be 50 MB of them. */
export function hashesOf(theme: ThemeFiles): Promise<Map<string, string>> {
  let known = hashes.get(theme);
  if (!known) {
    const plain = [...theme.assets].filter(([name, bytes]) => !isTemplate(name, bytes));
    known = Promise.all(plain.map(async ([name, bytes]) => [name, await hashOf(bytes)] as const)).then(
      pairs => new Map(pairs),
    );
    hashes.set(theme, known);
  }
  return known;
}

async function hashOf(body: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', new Uint8Array(body)))
    .toString('hex')
    .slice(0, 16);
}
