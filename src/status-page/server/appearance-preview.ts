import type { RenderAppearance } from '../../pages/branding/appearance.service.js';
import type { PublicUrl } from '../../core/config.js';
import { Refusal } from '../../core/errors.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { frontPage } from '../html/front-page.js';
import { inlineAssets } from '../themes/inline-assets.js';
import { createPageExtras } from '../themes/page-extras.js';
import { RendererBusy, ThemeFailure } from '../themes/render-job.js';
import type { RenderPool } from '../themes/render-pool.js';
import { renderTheme } from '../themes/render.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { getMount } from '../view/mount.js';
import { toSituation } from '../view/situations.js';
import { buildView } from '../view/build-view.js';
import { completeRendering } from '../routing/public-route.js';

/** Returns a function that renders the front page of a page in a situation, with any colours and theme. */
export function createAppearanceRenderer(publicUrl: PublicUrl, pool: RenderPool, read: RunRead): RenderAppearance {
  return async (pageId, situation, { colours, theme }) => {
    const snapshot = await loadSnapshot({ read }, pageId);
    if (!snapshot) return { html: '' };
    const { page, readAt } = snapshot;
    const view = buildView(
      { ...toSituation(snapshot, situation), brand: colours },
      { now: new Date(readAt), locale: page.locale, mount: getMount(page, 'path', publicUrl), staleSince: null },
    );
    if (!theme) {
      const response = await completeRendering(frontPage.render(view, { path: {}, query: {} }));
      return { html: String(response!.body) };
    }
    try {
      return { html: inlineAssets(await renderTheme(pool, theme, view, createPageExtras(view)), view.mount.path) };
    } catch (error) {
      if (error instanceof ThemeFailure) return { failure: error.message };
      if (error instanceof RendererBusy)
        throw new Refusal('UNAVAILABLE', 'The service is too busy to render the theme. Try again.', { retryAfter: 10 });
      throw error;
    }
  };
}
