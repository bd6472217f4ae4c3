import type { RenderAppearance } from '../../pages/branding/appearance.service.js';
import type { PublicUrl } from '../../core/config.js';
import { Refusal } from '../../core/errors.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { inlineAssets } from '../themes/inline-assets.js';
import { RendererBusy, ThemeFailure } from '../themes/render-job.js';
import type { RenderPool } from '../themes/render-pool.js';
import { renderTheme } from '../themes/render.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { toSituation } from '../view/situations.js';
import { buildSnapshotView, renderFrontPage } from './snapshot-view.js';

/** Returns a function that renders the front page of a page in a situation, with any colours and theme. */
export function createAppearanceRenderer(publicUrl: PublicUrl, pool: RenderPool, read: RunRead): RenderAppearance {
  return async (pageId, situation, { colours, theme }) => {
    const snapshot = await loadSnapshot({ read }, pageId);
    if (!snapshot) return { html: '' };
    const view = buildSnapshotView({ ...toSituation(snapshot, situation), brand: colours }, 'path', publicUrl);
    if (!theme) return { html: await renderFrontPage(view) };
    try {
      return { html: inlineAssets(await renderTheme(pool, theme, view), view.mount.path) };
    } catch (error) {
      if (error instanceof ThemeFailure) return { failure: error.message };
      if (error instanceof RendererBusy)
        throw new Refusal('UNAVAILABLE', 'The service is too busy to render the theme. Try again.', { retryAfter: 10 });
      throw error;
    }
  };
}
