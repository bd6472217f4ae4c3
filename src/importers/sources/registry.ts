import type { Source } from '../source.js';
import { statuspage } from './statuspage.js';

/** The products from which pages can be moved here. */
export const sources = { statuspage } satisfies Record<string, Source>;
export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];
