import type { RenderedTheme } from '../routing/public-route.js';

/** All data: URLs together, each as often as it is used. The frame that shows the document takes 2 MB. */
const maxLength = 1024 * 1024;

/** The front page of a theme as one document, since the assets of a theme that is not stored have no address. */
export function inlineAssets({ templates, assets }: RenderedTheme, mountPath: string): string {
  const byPath = new Map([...assets.values()].map(asset => [asset.path, asset]));
  /** Null: there was no room for it. It is not encoded again, since a document may name it thousands of times. */
  const urls = new Map<string, string | null>();
  let length = 0;
  const pattern = new RegExp(
    `(?:https?://[^/"'\\s]+)?${escapePattern(mountPath)}(theme/[^"'()\\s<>?#]+)(\\?v=1)?`,
    'g',
  );
  const inline = (text: string, isStyle: boolean): string =>
    text.replaceAll(pattern, (address, path: string) => toDataUrl(decode(path), isStyle) ?? address);
  const toDataUrl = (path: string, isStyle: boolean): string | undefined => {
    const known = urls.get(path);
    if (known !== undefined) return takeRoom(path, known);
    const asset = byPath.get(path);
    // Of a theme that is not stored nothing is loaded later.
    if (!asset || typeof asset.body === 'function') return undefined;
    const isStyleSheet = asset.type.startsWith('text/css');
    // A style sheet may name images, and not another style sheet: those that import each other would never end.
    if (isStyleSheet && isStyle) return undefined;
    if (length + asset.body.length > maxLength) return takeRoom(path, null);
    const body = isStyleSheet ? Buffer.from(inline(asset.body.toString(), true)) : asset.body;
    return takeRoom(path, `data:${asset.type.replaceAll(' ', '')};base64,${body.toString('base64')}`);
  };
  const takeRoom = (path: string, url: string | null): string | undefined => {
    const fitting = url !== null && length + url.length <= maxLength ? url : null;
    urls.set(path, fitting);
    length += fitting?.length ?? 0;
    return fitting ?? undefined;
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
