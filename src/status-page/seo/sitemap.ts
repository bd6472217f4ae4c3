import type { Face } from '../server/public-route.js';
import { xml } from '../feeds/xml.js';

/** The page, its history and what it told lately, by the addresses that search engines are told. None for a page that does not want to be found. */
export const sitemap: Face = {
  path: 'sitemap.xml',
  draw: ({ page, place: { canonical }, notices }) => {
    if (!page.visibleToSearch) return null;
    const last = notices.reduce(
      (latest, { updatedAt }) => Math.max(latest, updatedAt.getTime()),
      Date.parse(page.updatedAt),
    );
    const addresses: [path: string, changed: Date][] = [
      ['', new Date(last)],
      ['history', new Date(last)],
      ...notices.map(({ path, updatedAt }): [string, Date] => [`notices/${path}`, updatedAt]),
    ];
    const { text } = xml`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${addresses.map(([path, changed]) => xml`<url><loc>${canonical}${path}</loc><lastmod>${changed.toISOString()}</lastmod></url>\n`)}</urlset>
`;
    return { type: 'application/xml; charset=utf-8', body: text };
  },
};
