import type { PublicRoute } from '../routing/public-route.js';
import { xml } from '../feeds/xml.js';

/** Canonical URLs of the page, its history and its recent notices. A 404 if the page is hidden from search engines. */
export const sitemap: PublicRoute = {
  path: 'sitemap.xml',
  render: ({ page, mount: { canonical }, notices }) => {
    if (!page.isVisibleToSearch) return null;
    const latestChange = notices.reduce(
      (latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()),
      Date.parse(page.updatedAt),
    );
    const entries: [path: string, changedAt: Date][] = [
      ['', new Date(latestChange)],
      ['history', new Date(latestChange)],
      ...notices.map(({ path, updatedAt }): [string, Date] => [`notices/${path}`, updatedAt]),
    ];
    const urls = entries.map(
      ([path, changedAt]) =>
        xml`<url><loc>${canonical}${path}</loc><lastmod>${changedAt.toISOString()}</lastmod></url>\n`,
    );
    const { text } = xml`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}</urlset>
`;
    return { type: 'application/xml; charset=utf-8', body: text };
  },
};
