import { iconPaths } from '../../pages/branding/icon-paths.js';
import { stateStyles } from '../../pages/branding/state-styles.js';
import type { PublicRoute } from '../routing/public-route.js';
import { html, renderToString } from '../html/html.js';
import { createPalette } from '../html/style/palette.js';

/** The icon of the page's state for the browser tab, with a white circle behind the cut-outs for any tab colour. */
export const favicon: PublicRoute = {
  path: 'favicon.svg',
  render: view => {
    const { tone } = createPalette(view, 'light');
    const path = iconPaths[stateStyles[view.banner.kind].icon];
    const icon = html`
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
        <circle cx="8" cy="9" r="5" fill="#fff"/>
        <path fill="${tone}" fill-rule="evenodd" d="${path}"/>
      </svg>`;
    return {
      type: 'image/svg+xml; charset=utf-8',
      body: renderToString(icon),
      headers: { 'Content-Security-Policy': "default-src 'none'; sandbox" },
    };
  },
};
