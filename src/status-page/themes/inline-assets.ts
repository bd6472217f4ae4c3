import type { RenderedTheme } from '../routing/public-route.js';

/** All data: URLs together. The frame that shows the document takes 2 MB. */
const maxLength = 1024 * 1024;

/** The front page of a theme as one document, since the assets of a theme that is not stored have no address. */
export function inlineAssets({ templates, assets }: RenderedTheme, mountPath: string): string {
  const byPath = new Map([...assets.values()].map(asset => [asset.path, asset]));
  const urls = new Map<string, string>();
  let length = 0;
  const pattern = new RegExp(
    `(?:https?://[^/"'\\s]+)?${escapePattern(mountPath)}(theme/[^"'()\\s<>?#]+)(\\?v=1)?`,
    'g',
  );
  const inline = (text: string, isStyle: boolean): string =>
    text.replaceAll(pattern, (address, path: string) => toDataUrl(decode(path), isStyle) ?? address);
  const toDataUrl = (path: string, isStyle: boolean): string | undefined => {
    const existing = urls.get(path);
    const asset = byPath.get(path);
    // Of a theme that is not stored nothing is loaded later.
    if (existing !== undefined || !asset || typeof asset.body === 'function') return existing;
    const isStyleSheet = asset.type.startsWith('text/css');
    // A style sheet may name images, and not another style sheet: those that import each other would never end.
    if (isStyleSheet && isStyle) return undefined;
    const body = isStyleSheet ? Buffer.from(inline(asset.body.toString(), true)) : asset.body;
    const url = `data:${asset.type.replaceAll(' ', '')};base64,${body.toString('base64')}`;
    length += url.length;
    if (length > maxLength) return undefined;
    urls.set(path, url);
    return url;
  };
  return inline(String(templates.get('status-page')!.body), false);
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
