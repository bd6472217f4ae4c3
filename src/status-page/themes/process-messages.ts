import type { RenderJob, RenderResult } from './render-job.js';

/** Messages to the render process. Files are sent one by one, since all at once would exceed the longest message. */
export type ToRenderProcess =
  | { kind: 'template'; path: string; text: string }
  | { kind: 'asset'; path: string; text: string }
  | { kind: 'locale'; code: string; texts: unknown }
  | { kind: 'render'; job: RenderJob };

export type FromRenderProcess =
  | { kind: 'ready' }
  | { kind: 'rendered'; result: RenderResult }
  | { kind: 'failed'; reason: string };
