import type { PublicRoute, TemplateName } from '../routing/public-route.js';
import { immutable, renderRedirect } from '../routing/responses.js';

/** A route that a theme may render. Embedded sections, and pages without a theme, use the standard route. */
export const createThemedRoute = (
  template: TemplateName,
  standard: Pick<PublicRoute, 'path' | 'query' | 'render'>,
): PublicRoute => ({
  ...standard,
  isThemed: true,
  render: (view, parameters, theme) => theme?.templates.get(template) || standard.render(view, parameters, theme),
});

/** Pages that other sites copy and show while they are down. */
export const downtimeRoutes: readonly PublicRoute[] = (['error-page', 'maintenance-page'] as const).map(name =>
  createThemedRoute(name, { path: name, render: () => null }),
);

/**
 * A file of a theme. A URL with an outdated hash leads to the present one: anybody can make up thousands of them, each
 * of which would be compressed anew and take as much of the cache.
 */
export const themeAssetRoute: PublicRoute = {
  path: 'theme/:hash/:name',
  isThemed: true,
  listPaths: (_view, theme) => [...(theme?.assets.values() ?? [])].map(({ path }) => path),
  render: async ({ mount }, { path: { hash, name } }, theme) => {
    const asset = theme?.assets.get(name!);
    if (!asset) return null;
    if (asset.path !== `theme/${hash}/${name}`)
      return renderRedirect(303, mount.path + asset.path.split('/').map(encodeURIComponent).join('/'));
    const body = typeof asset.body === 'function' ? await asset.body() : asset.body;
    return body ? { ...asset, body, headers: { ...asset.headers, 'Cache-Control': immutable } } : null;
  },
};
