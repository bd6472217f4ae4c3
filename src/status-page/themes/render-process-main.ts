import { Script } from 'node:vm';
import { ThemeFailure } from './render-job.js';
import { Drawer } from './renderer.js';
import type { FromDrawing, ToDrawing } from './process-messages.js';

/**
 * The process in which themes are drawn. It can read its own code and nothing else, and is killed when it takes too long: it is not asked to stop.
 * It serves one theme for its life, so that nothing of it can come to another.
 */
const tell = (message: FromDrawing) => process.send?.(message);

/** Milliseconds. Nobody is left to kill it when the service itself was killed. */
const patience = 5_000;

const templates = new Map<string, string>();
const locales = new Map<string, unknown>();
const assets = new Map<string, string>();
let drawer: Drawer | undefined;
let commission: (ToDrawing & { kind: 'draw' })['commission'];

/** The engine's own thread watches a script, and ends it wherever it is. */
const watched = new Script('drawTheme()');
Object.assign(globalThis, {
  drawTheme: () => {
    drawer ??= new Drawer({ templates, locales, assets });
    return drawer.draw(commission);
  },
});

process.on('disconnect', () => process.exit());
process.on('message', (message: ToDrawing) => {
  if (message.kind === 'template') templates.set(message.path, message.text);
  else if (message.kind === 'asset') assets.set(message.path, message.text);
  else if (message.kind === 'locale') locales.set(message.code, message.texts);
  else {
    commission = message.commission;
    try {
      tell({ kind: 'drawn', drawn: watched.runInThisContext({ timeout: patience }) });
    } catch (error) {
      if (error instanceof ThemeFailure) tell({ kind: 'failed', why: error.message });
      else throw error;
    }
  }
});
tell({ kind: 'ready' });
