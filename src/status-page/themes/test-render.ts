import type { ThemeFiles } from '../../pages/branding/theme-archive.js';
import { Refusal } from '../../core/errors.js';
import { buildView } from '../view/build-view.js';
import { RendererBusy, ThemeFailure } from './render-job.js';
import { renderTheme } from './render.js';
import type { RenderPool } from './render-pool.js';
import { samplePages, sampleTime } from './sample-pages.js';

const mount = { origin: 'https://status.example.com', path: '/', canonical: 'https://status.example.com/' };

/** Renders a theme on each sample page. Returns the first failure, as a message for its author, or null. */
export async function testTheme(pool: RenderPool, theme: ThemeFiles): Promise<string | null> {
  for (const [name, snapshot] of Object.entries(samplePages)) {
    try {
      const view = buildView(snapshot, { now: sampleTime, locale: snapshot.page.locale, mount, staleSince: null });
      await renderTheme(pool, theme, view);
    } catch (error) {
      if (error instanceof RendererBusy)
        throw new Refusal('UNAVAILABLE', 'The service is too busy to test the theme. Try again.', { retryAfter: 10 });
      if (!(error instanceof ThemeFailure)) throw error;
      return `${error.message.replace(/\.$/, '')} (sample page: ${name}).`;
    }
  }
  return null;
}
