import type { Face } from '../face.js';
import { bannerPanel } from './banner-panel.js';
import { type Canvas, canvasOf } from './canvas.js';
import { componentTree } from './component-tree.js';
import { documentOf, siteTitle } from './document.js';
import { generalNotices } from './general.js';
import { html } from './html.js';
import { upcomingMaintenance } from './maintenance.js';
import { presentNotices } from './notice-card.js';
import { pastNotices } from './past.js';

/** The page itself: what is wrong, the whole in one sentence, every part, what will be, and what was. */
export const frontPage: Face = {
  path: '',
  query: ['lang'],
  draw: view => {
    const canvas = canvasOf(view);
    const sections = [presentNotices, bannerPanel, componentTree, upcomingMaintenance, generalNotices, pastNotices];
    return documentOf(canvas, {
      path: '',
      title: titleOf(canvas),
      description: view.page.metaDescription,
      main: html`${sections.map(section => section(canvas))}`,
      isFront: true,
    });
  },
};

/** In a row of tabs the state comes first. */
function titleOf({ view, texts }: Canvas): string {
  const title = siteTitle(view);
  if (view.banner.kind === 'degraded') return `(!) ${texts.t('state.degraded')} – ${title}`;
  return view.banner.kind === 'maintenance' ? `${texts.t('state.maintenance')} – ${title}` : title;
}
