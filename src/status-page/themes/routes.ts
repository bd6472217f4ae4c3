import type { PublicRoute, TemplateName } from '../routing/public-route.js';
import { immutable } from '../routing/responses.js';

/** A route that a theme may render. Embedded sections, and pages without a theme, use the standard route. */
export const createThemedRoute = (
  template: TemplateName,
  standard: Pick<PublicRoute, 'path' | 'query' | 'render'>,
): PublicRoute => ({
  ...standard,
  isThemed: true,
  render: (view, parameters, theme) =>
    (parameters.query.embed === undefined && theme?.templates.get(template)) ||
    standard.render(view, parameters, theme),
});

/** Pages that other sites copy and show while they are down. */
export const downtimeRoutes: readonly PublicRoute[] = (['error-page', 'maintenance-page'] as const).map(name =>
  createThemedRoute(name, { path: name, render: () => null }),
);

/** A file of a theme. A URL with an outdated hash gets the present file, without the long cache lifetime. */
export const themeAssetRoute: PublicRoute = {
  path: 'theme/:hash/:name',
  isThemed: true,
  listPaths: (_view, theme) => [...(theme?.assets.values() ?? [])].map(({ path }) => path),
  render: async (_view, { path: { hash, name } }, theme) => {
    const asset = theme?.assets.get(name!);
    const body = typeof asset?.body === 'function' ? await asset.body() : asset?.body;
    if (!asset || !body) return null;
    const isCurrent = asset.path === `theme/${hash}/${name}`;
    return { ...asset, body, headers: { ...asset.headers, ...(isCurrent && { 'Cache-Control': immutable }) } };
  },
};
