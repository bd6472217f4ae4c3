import type { Face } from '../server/public-route.js';
import type { TemplateName } from './render-job.js';

/** An address that a theme may draw, as a whole: sections of it in frames are the standard one's. Without a theme it is the standard one, or nothing. */
export const themed = (template: TemplateName, standard: Pick<Face, 'path' | 'query' | 'draw'>): Face => ({
  ...standard,
  isThemed: true,
  draw: (view, asked, dress) =>
    (asked.query.embed === undefined && dress?.templates.get(template)) || standard.draw(view, asked, dress),
});

/** Pages that sites show elsewhere while they are down. */
export const siteFaces: readonly Face[] = (['error-page', 'maintenance-page'] as const).map(name =>
  themed(name, { path: name, draw: () => null }),
);

/** A file of a theme. By the address of one that it had before it is the present one, for those whose page was drawn before the change, and is not to be kept. */
export const themeAsset: Face = {
  path: 'theme/:hash/:name',
  isThemed: true,
  addresses: (_view, dress) => [...(dress?.assets.values() ?? [])].map(({ path }) => path),
  draw: (_view, { path: { hash, name } }, dress) => {
    const asset = dress?.assets.get(name!);
    if (!asset) return null;
    const lasting = asset.path === `theme/${hash}/${name}`;
    return {
      ...asset,
      headers: { ...asset.headers, ...(lasting && { 'Cache-Control': 'public, max-age=31536000, immutable' }) },
    };
  },
};
