import { toBuiltUrl } from '../../core/built-url.js';

/** The URL of a file that the build wrote beside this one. */
export const builtUrl = (path: string): URL => toBuiltUrl(path, import.meta.url);
