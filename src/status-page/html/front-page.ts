import type { PublicRoute } from '../routing/public-route.js';
import { renderBanner } from './banner-panel.js';
import { type RenderContext, createRenderContext } from './render-context.js';
import { renderComponentTree } from './component-tree.js';
import { renderDocument, getSiteTitle } from './document.js';
import { renderAnnouncements } from './announcements.js';
import { html, type Markup } from './html.js';
import { renderUpcomingMaintenance } from './maintenance.js';
import { metricStyle, renderMetrics } from './metrics.js';
import { renderPresentNotices } from './notice-card.js';
import { renderPastNotices } from './past-notices.js';

/** The sections in their order, by their names in `?embed=`. */
const sections = {
  banner: renderBanner,
  notices: renderPresentNotices,
  components: renderComponentTree,
  metrics: renderMetrics,
  maintenance: renderUpcomingMaintenance,
  announcements: renderAnnouncements,
  past: renderPastNotices,
};

/** `?embed=banner,components` renders only these sections, for frames on other sites; an unknown name is a 404. */
export const frontPage: PublicRoute = {
  path: '',
  hasTexts: true,
  query: ['lang', 'embed'],
  *render(view, { query: { embed } }) {
    const context = { ...createRenderContext(view), componentsUrl: '' };
    const names = Object.keys(sections) as (keyof typeof sections)[];
    const requested = embed?.split(',') ?? names;
    const shown = names.filter(name => requested.includes(name));
    if (shown.length !== requested.length) return null;
    const rendered: (Markup | null)[] = [];
    for (const name of shown) {
      const section = sections[name](context);
      rendered.push(section && 'next' in section ? yield* section : section);
      yield;
    }
    return renderDocument(context, {
      path: '',
      title: formatTitle(context),
      description: view.page.metaDescription,
      main: html`${rendered}`,
      isFrontPage: true,
      style: view.metrics.length ? metricStyle : undefined,
      isEmbedded: embed !== undefined,
    });
  },
};

/** The state comes first, so that it stays visible in a narrow browser tab. */
function formatTitle({ view, translator }: RenderContext): string {
  const title = getSiteTitle(view);
  const { kind } = view.banner;
  if (kind === 'operational') return title;
  return `${kind === 'maintenance' ? '' : '(!) '}${translator.t(`state.${kind}`)} – ${title}`;
}
