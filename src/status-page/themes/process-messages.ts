import type { Commission, Drawn } from './render-job.js';

/** What the service tells the process that draws. Files go one by one, so that no message is long. */
export type ToDrawing =
  | { kind: 'template'; path: string; text: string }
  | { kind: 'asset'; path: string; text: string }
  | { kind: 'locale'; code: string; texts: unknown }
  | { kind: 'draw'; commission: Commission };

export type FromDrawing = { kind: 'ready' } | { kind: 'drawn'; drawn: Drawn } | { kind: 'failed'; why: string };
