import { readFileSync } from 'node:fs';
import { toBuiltUrl } from './built-url.js';

/** A bundled script of `browser/`, read when the service starts. */
export const readBrowserScript = (name: 'page' | 'push' | 'push-worker' | 'scheme' | 'sign-in' | 'widget'): string =>
  readFileSync(toBuiltUrl(`../browser/${name}.js`, import.meta.url), 'utf8').trim();
