import type { Face } from '../server/public-route.js';
import { bannerPanel } from './banner-panel.js';
import { type Canvas, canvasOf } from './render-context.js';
import { componentTree } from './component-tree.js';
import { documentOf, siteTitle } from './document.js';
import { generalNotices } from './announcements.js';
import { html } from './html.js';
import { upcomingMaintenance } from './maintenance.js';
import { presentNotices } from './notice-card.js';
import { pastNotices } from './past-notices.js';

/** What is wrong, the whole in one sentence, every part, what will be, and what was: the sections in their order, by the names that `?embed=` knows them by. */
const sections = {
  notices: presentNotices,
  banner: bannerPanel,
  components: componentTree,
  maintenance: upcomingMaintenance,
  announcements: generalNotices,
  past: pastNotices,
};

/** The page itself; for frames on other sites (`?embed=banner,components`) the sections named, each once, with nothing around them. An unknown name is a 404. */
export const frontPage: Face = {
  path: '',
  query: ['lang', 'embed'],
  draw: (view, { query: { embed } }) => {
    const canvas = canvasOf(view);
    const names = Object.keys(sections) as (keyof typeof sections)[];
    const wanted = embed?.split(',') ?? names;
    const shown = names.filter(name => wanted.includes(name));
    if (shown.length !== wanted.length) return null;
    return documentOf(canvas, {
      path: '',
      title: titleOf(canvas),
      description: view.page.metaDescription,
      main: html`${shown.map(name => sections[name](canvas))}`,
      isFront: true,
      embedded: embed !== undefined,
    });
  },
};

/** In a row of tabs the state comes first. */
function titleOf({ view, texts }: Canvas): string {
  const title = siteTitle(view);
  if (view.banner.kind === 'degraded') return `(!) ${texts.t('state.degraded')} – ${title}`;
  return view.banner.kind === 'maintenance' ? `${texts.t('state.maintenance')} – ${title}` : title;
}
