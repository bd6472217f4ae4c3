import type { Face } from '../server/public-route.js';

/** Below a path of another host nobody looks for it; there it does no harm. */
export const robots: Face = {
  path: 'robots.txt',
  draw: ({ page, place }) => {
    const lines = page.visibleToSearch
      ? ['User-agent: *', 'Allow: /', '', `Sitemap: ${place.canonical}sitemap.xml`]
      : ['User-agent: *', 'Disallow: /'];
    return { type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` };
  },
};
