import type { Banner } from '../banner.js';
import { bannerText } from '../banner-text.js';
import type { Canvas } from './canvas.js';
import { html, type Markup } from './html.js';
import { type Icon, iconOf } from './icons.js';
import { said } from './moment.js';

export const bannerIcons: Record<Banner['kind'], Icon> = { operational: 'check', maintenance: 'wrench', degraded: 'alert' };

export function bannerPanel(canvas: Canvas): Markup {
  const { view, texts } = canvas;
  return html`
    <div class="banner" role="status">
      ${iconOf(bannerIcons[view.banner.kind])}
      <p><strong dir="auto">${bannerText(view.banner, texts)}</strong> <small>${said(canvas, 'footer.updated', view.now)}</small></p>
    </div>`;
}

/** Nothing may look fresher than it is. */
export function staleness(canvas: Canvas): Markup | null {
  const { staleSince } = canvas.view;
  return staleSince && html`<p class="stale" role="status">${iconOf('clock')}<span>${said(canvas, 'footer.stale', staleSince)}</span></p>`;
}
