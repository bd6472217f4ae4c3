import { stateStyles } from '../../pages/branding/state-styles.js';
import { bannerText } from '../view/banner-text.js';
import { type RenderContext, fillSlot, slot } from './render-context.js';
import { html, type Markup } from './html.js';
import { renderIcon } from './icons.js';
import { findLatestChange } from '../view/latest-change.js';
import { renderLabelledTime } from './time.js';

export function renderBanner(context: RenderContext): Markup {
  const { view } = context;
  const updated = renderLabelledTime(context, 'footer.updated', findLatestChange(view));
  return html`
    <div class="banner" role="status">
      ${renderIcon(stateStyles[view.banner.kind].icon)}
      <p><strong>${renderSentence(context)}</strong> ${renderNames(context)}<small>${updated}</small></p>
    </div>`;
}

/** From this one on, the components of a banner are counted. */
const maxNames = 3;

/** "Rates · Bookings · +2", where the sentence says that some systems are affected. */
function renderNames({ view, contentAttributes }: RenderContext): Markup | null {
  const { components } = view.banner;
  if (!components.length) return null;
  const shown = components.length > maxNames ? components.slice(0, maxNames - 1) : components;
  const omitted = components.length - shown.length;
  const names = shown.map(({ name }, index) => html`${index > 0 && ' · '}<bdi${contentAttributes}>${name}</bdi>`);
  return html`<small>${names}${omitted > 0 && ` · +${omitted}`}</small> `;
}

/** Isolates the name of the component with <bdi>: its direction may differ from the sentence. */
function renderSentence({ view: { banner }, translator, contentAttributes }: RenderContext): Markup {
  if (!banner.component) return html`${bannerText(banner, translator)}`;
  return fillSlot(
    bannerText({ ...banner, component: { ...banner.component, name: slot } }, translator),
    html`<bdi${contentAttributes}>${banner.component.name}</bdi>`,
  );
}

export function renderStaleWarning(context: RenderContext): Markup | null {
  const { staleSince } = context.view;
  if (!staleSince) return null;
  const label = renderLabelledTime(context, 'footer.stale', staleSince);
  return html`<p class="stale" role="status">${renderIcon('clock')}<span>${label}</span></p>`;
}
