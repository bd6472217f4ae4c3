import type { Banner } from '../view/banner.js';
import { bannerText } from '../view/banner-text.js';
import { type Canvas, filled, slot } from './render-context.js';
import { html, type Markup } from './html.js';
import { type Icon, iconOf } from './icons.js';
import { said } from './time.js';

export const bannerIcons: Record<Banner['kind'], Icon> = {
  operational: 'check',
  maintenance: 'wrench',
  degraded: 'alert',
};

export function bannerPanel(canvas: Canvas): Markup {
  const { view } = canvas;
  return html`
    <div class="banner" role="status">
      ${iconOf(bannerIcons[view.banner.kind])}
      <p><strong>${sentenceOf(canvas)}</strong> <small>${said(canvas, 'footer.updated', view.staleSince ?? view.now)}</small></p>
    </div>`;
}

/** The name of a component stands apart in it: it may be of another direction than the sentence. */
function sentenceOf({ view: { banner }, texts, own }: Canvas): Markup {
  if (!banner.component) return html`${bannerText(banner, texts)}`;
  return filled(
    bannerText({ ...banner, component: { ...banner.component, name: slot } }, texts),
    html`<bdi${own}>${banner.component.name}</bdi>`,
  );
}

/** Nothing may look fresher than it is. */
export function staleness(canvas: Canvas): Markup | null {
  const { staleSince } = canvas.view;
  return (
    staleSince &&
    html`<p class="stale" role="status">${iconOf('clock')}<span>${said(canvas, 'footer.stale', staleSince)}</span></p>`
  );
}
