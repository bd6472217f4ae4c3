import { readFileSync } from 'node:fs';

/** A bundled script of `browser/`, read when the service starts. */
export const readBrowserScript = (name: 'page' | 'push' | 'push-worker' | 'scheme' | 'sign-in' | 'widget'): string =>
  readFileSync(new URL(`../browser/${name}.js`, import.meta.url), 'utf8').trim();
