import { type Link, buildLinkPath } from '../../subscribers/signed-link.js';
import type { RenderContext } from '../html/render-context.js';

/**
 * The URL of a signed link, at the mount the visitor uses (host or path), in their language: the page's own host may
 * not be reachable. The origin comes from the settings, never from the Host header.
 */
export function createLinkUrl({ view, urlFor }: RenderContext, key: Buffer, link: Link): string {
  return `${view.mount.origin}${urlFor(buildLinkPath(key, link))}`;
}
