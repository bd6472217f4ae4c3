import { html, Markup } from './html.js';
import { iconPaths } from '../../pages/branding/icon-paths.js';

export type Icon = keyof typeof iconPaths;

/** Hidden from screen readers: a text always stands beside it. */
export function renderIcon(icon: Icon): Markup {
  return html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-${icon}"/></svg>`;
}

export function renderIconDefinitions(body: Markup): Markup {
  const used = (Object.keys(iconPaths) as Icon[]).filter(icon => body.html.includes(`#i-${icon}"`));
  const symbols = used.map(icon => html`<path id="i-${icon}" fill-rule="evenodd" d="${iconPaths[icon]}"/>`);
  return used.length
    ? html`<svg class="shapes" width="0" height="0" aria-hidden="true"><defs>${symbols}</defs></svg>`
    : html``;
}
