import type { Face } from '../server/public-route.js';
import { bannerIcons } from './banner-panel.js';
import { html, textOf } from './html.js';
import { shapeOf } from './icons.js';
import { paletteOf } from './palette.js';

/** The sign of the page's state, for the browser's tab. A white ground shows through what is cut out, whatever colour the tab has. */
export const favicon: Face = {
  path: 'favicon.svg',
  draw: view => {
    const icon = html`
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
        <circle cx="8" cy="9" r="5" fill="#fff"/>
        <path fill="${paletteOf(view, 'light').tone}" fill-rule="evenodd" d="${shapeOf(bannerIcons[view.banner.kind])}"/>
      </svg>`;
    return {
      type: 'image/svg+xml; charset=utf-8',
      body: textOf(icon),
      headers: { 'Content-Security-Policy': "default-src 'none'; sandbox" },
    };
  },
};
