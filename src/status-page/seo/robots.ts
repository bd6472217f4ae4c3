import type { PublicRoute } from '../routing/public-route.js';

/** Crawlers read robots.txt only at the root of a host. Below `/status/<page id>/` it has no effect. */
export const robots: PublicRoute = {
  path: 'robots.txt',
  render: ({ page, mount }) => {
    const lines = page.isVisibleToSearch
      ? ['User-agent: *', 'Allow: /', '', `Sitemap: ${mount.canonical}sitemap.xml`]
      : ['User-agent: *', 'Disallow: /'];
    return { type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` };
  },
};
