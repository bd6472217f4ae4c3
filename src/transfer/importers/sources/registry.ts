import type { Source } from '../source.js';
import { betterStack } from './better-stack.js';
import { cachet } from './cachet.js';
import { csv } from './csv.js';
import { instatus } from './instatus.js';
import { kener } from './kener.js';
import { openStatus } from './open-status.js';
import { statuspage } from './statuspage.js';
import { uptimeKuma } from './uptime-kuma.js';
import { v1 } from './v1.js';

/** The products from which pages can be moved here. */
export const sources = {
  statuspage,
  instatus,
  'uptime-kuma': uptimeKuma,
  cachet,
  betterstack: betterStack,
  kener,
  openstatus: openStatus,
  v1,
  csv,
} satisfies Record<string, Source>;
export type SourceName = keyof typeof sources;
export const sourceNames = Object.keys(sources) as SourceName[];
