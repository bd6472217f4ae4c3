import { Script } from 'node:vm';
import { type RenderJob, renderTimeLimitMs, ThemeFailure } from './render-job.js';
import { ThemeRenderer } from './renderer.js';
import type { FromRenderProcess, ToRenderProcess } from './process-messages.js';

/**
 * The render process. It can read its own code and nothing else, and is killed when it takes too long.
 * It renders a single theme for its whole life, so that nothing of one theme can reach another.
 */
const send = (message: FromRenderProcess) => process.send?.(message);

/** A fallback for the case that the service itself was killed, which would have killed this process. */
const timeoutMs = 2 * renderTimeLimitMs;

const templates = new Map<string, string>();
const locales = new Map<string, unknown>();
const assets = new Map<string, string>();
let renderer: ThemeRenderer | undefined;
let job: RenderJob;

/** V8 can terminate a script with a timeout anywhere, in a filter or a regular expression too. */
const script = new Script('renderTheme()');
Object.assign(globalThis, {
  renderTheme: () => {
    renderer ??= new ThemeRenderer({ templates, locales, assets });
    return renderer.render(job);
  },
});

process.on('disconnect', () => process.exit());
process.on('message', (message: ToRenderProcess) => {
  if (message.kind === 'template') templates.set(message.path, message.text);
  else if (message.kind === 'asset') assets.set(message.path, message.text);
  else if (message.kind === 'locale') locales.set(message.code, message.texts);
  else {
    job = message.job;
    try {
      send({ kind: 'rendered', result: script.runInThisContext({ timeout: timeoutMs }) });
    } catch (error) {
      if (error instanceof ThemeFailure) send({ kind: 'failed', reason: error.message });
      else throw error;
    }
  }
});
send({ kind: 'ready' });
