import { createHash } from 'node:crypto';

export type CspSources = Partial<Record<'script-src' | 'worker-src' | 'connect-src' | 'img-src', readonly string[]>>;

/**
 * Allows only the inline style and scripts of the document, by hash, so that nothing injected into a notice can run.
 * Any site may frame the page: it has no session and no actions to hijack, and operators embed it in their portals.
 */
export function buildContentSecurityPolicy(
  style: string,
  scripts: readonly string[],
  hasEvents: boolean,
  additional: CspSources = {},
): string {
  const connectSources = [...(hasEvents ? ["'self'"] : []), ...(additional['connect-src'] ?? [])];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'img-src': ["'self'", 'data:', ...(additional['img-src'] ?? [])],
    'style-src': [hashSource(style)],
    'script-src': [...scripts.map(hashSource), ...(additional['script-src'] ?? [])],
    ...(additional['worker-src'] && { 'worker-src': additional['worker-src'] }),
    ...(connectSources.length && { 'connect-src': connectSources }),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ['*'],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
