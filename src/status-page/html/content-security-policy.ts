import { createHash } from 'node:crypto';

export type CspSources = Partial<Record<'script-src' | 'worker-src' | 'connect-src' | 'img-src', readonly string[]>>;

interface DocumentPolicy {
  style: string;
  scripts: readonly string[];
  hasEvents: boolean;
  /** Whether other sites may show the document in a frame. */
  isFramable: boolean;
  additional?: CspSources;
}

/** Allows only the inline style and scripts of the document, by hash: nothing injected into a notice can run. */
export function buildContentSecurityPolicy({
  style,
  scripts,
  hasEvents,
  isFramable,
  additional = {},
}: DocumentPolicy): string {
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
    'frame-ancestors': [isFramable ? '*' : "'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
