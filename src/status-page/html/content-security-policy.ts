import { createHash } from 'node:crypto';

export type Source = Partial<Record<'script-src' | 'connect-src' | 'img-src', readonly string[]>>;

/**
 * What the page may do: show itself, and run the one script that is ours. Both are named by their hashes, so that nothing that anybody wrote into a
 * notice is ever more than text. Anyone may frame it: it has no session, knows no visitor and takes no action, and operators put it in their portals.
 */
export function policyOf(style: string, scripts: readonly string[], more: Source = {}): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'img-src': ["'self'", 'data:', ...(more['img-src'] ?? [])],
    'style-src': [hashOf(style)],
    'script-src': [...scripts.map(hashOf), ...(more['script-src'] ?? [])],
    ...(more['connect-src'] && { 'connect-src': more['connect-src'] }),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ['*'],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
