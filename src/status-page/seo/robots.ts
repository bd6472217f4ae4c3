import type { PublicRoute } from '../routing/public-route.js';
import { renderText } from '../routing/responses.js';

/** Crawlers read robots.txt only at the root of a host. Below `/status/<page id>/` it has no effect. */
export const robots: PublicRoute = {
  path: 'robots.txt',
  render: ({ page, mount }) => {
    const lines = page.isVisibleToSearch
      ? ['User-agent: *', 'Allow: /', '', `Sitemap: ${mount.canonical}sitemap.xml`]
      : ['User-agent: *', 'Disallow: /'];
    return renderText(200, `${lines.join('\n')}\n`);
  },
};
