import { webcrypto } from 'node:crypto';
import { extname } from 'node:path';
import type { ThemeFiles } from '../../pages/branding/theme-archive.js';
import type { ThemeAsset } from '../routing/public-route.js';

const contentTypes: Record<string, string> = {
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

/**
 * Sent with a theme that is served below a path of the service: its scripts get an opaque origin, never that of
 * /graphql. On the page's own host scripts run unrestricted.
 */
export const sandboxPolicy = 'sandbox allow-scripts allow-forms allow-popups';

/** An SVG that is opened directly is a document, and could contain scripts. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const extensionOf = (name: string) => extname(name).toLowerCase();

/** Existing themes use variables in SVG files as in style sheets: `fill="{{ page.brand.color_body_text }}"`. */
export const isSvg = (name: string) => extensionOf(name) === '.svg';

/** Whether the asset is a template, rendered with the page. All other assets are served unchanged. */
export const isTemplateAsset = (name: string, bytes: Buffer): boolean =>
  extensionOf(name) === '.css' || (isSvg(name) && bytes.length <= maxTemplateBytes && /\{[{%]/.test(bytes.toString()));

export const maxTemplateBytes = 1024 * 1024;

/** `isBelow`: the page is served below a path of the service, not on a host of its own. */
export function createAsset(name: string, hash: string, body: ThemeAsset['body'], isBelow: boolean): ThemeAsset {
  const type = contentTypes[extensionOf(name)] ?? 'application/octet-stream';
  const policy = type === contentTypes['.svg'] ? svgPolicy : isBelow ? sandboxPolicy : null;
  return {
    path: `theme/${hash}/${name}`,
    type,
    body,
    // From the opaque origin of a sandboxed page, fonts and modules are cross-origin requests.
    headers: { 'Access-Control-Allow-Origin': '*', ...(policy && { 'Content-Security-Policy': policy }) },
  };
}

const hashesByTheme = new WeakMap<ThemeFiles, Promise<Map<string, string>>>();

/** Hashes the assets that are not templates. WebCrypto works off this thread: there may be 50 MB of them. */
export function hashStaticAssets(theme: ThemeFiles): Promise<Map<string, string>> {
  let hashes = hashesByTheme.get(theme);
  if (!hashes) {
    const staticAssets = [...theme.assets].filter(([name, bytes]) => !isTemplateAsset(name, bytes));
    hashes = Promise.all(staticAssets.map(async ([name, bytes]) => [name, await hashBytes(bytes)] as const)).then(
      pairs => new Map(pairs),
    );
    hashesByTheme.set(theme, hashes);
  }
  return hashes;
}

async function hashBytes(body: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', new Uint8Array(body)))
    .toString('hex')
    .slice(0, 16);
}
