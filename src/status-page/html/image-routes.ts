import { type BrandImageRole, brandImageRoles, getBrandImagePath } from '../../pages/branding/brand-image.js';
import { imageTypes } from '../../pages/images/measure.js';
import { getPageImagePath, listPageImagePaths, parsePageImagePath } from '../../content/markdown/page-image.js';
import type { PublicRoute, RouteParameters } from '../routing/public-route.js';
import { immutable } from '../routing/responses.js';
import { listUpdates, type PageView } from '../view/view.js';

/** An SVG that is opened directly is a document. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * An image of the brand, under its hash. An SVG exists as PNG, too, for mail and chat. A URL with an outdated hash,
 * from a page or a mail before the change, gets the present image, without the long cache lifetime.
 */
export const brandImageRoute: PublicRoute = {
  path: 'brand/:hash/:name',
  requiredImage: (parameters, view) => findBrandImage(view, parameters),
  listPaths: ({ images }) =>
    brandImageRoles.flatMap(role => {
      const image = images[role];
      if (!image) return [];
      const formats = image.format === 'svg' ? (['svg', 'png'] as const) : [image.format];
      return formats.map(format => getBrandImagePath(role, { ...image, format }));
    }),
  render: (view, parameters, _theme, bytes) => {
    const image = findBrandImage(view, parameters);
    if (!image || !bytes) return null;
    return {
      type: imageTypes[image.format],
      body: bytes,
      headers: {
        ...(image.format === 'svg' && { 'Content-Security-Policy': svgPolicy }),
        ...(parameters.path.hash === image.hash && { 'Cache-Control': immutable }),
      },
    };
  },
};

function findBrandImage({ images }: PageView, { path: { name = '' } }: RouteParameters) {
  for (const [role, image] of Object.entries(images) as [BrandImageRole, NonNullable<(typeof images)['logo']>][]) {
    if (getBrandImagePath(role, image).endsWith(`/${name}`)) return image;
    const png = { ...image, format: 'png' as const };
    if (image.format === 'svg' && getBrandImagePath(role, png).endsWith(`/${name}`)) return png;
  }
  return null;
}

/** An image that a text of the page may contain. Its URL has the hash of its bytes, so it never changes. */
export const pageImageRoute: PublicRoute = {
  path: 'images/:name',
  requiredImage: parameters => {
    const image = findPageImage(parameters);
    return image && { hash: /[^/]+(?=\.)/.exec(getPageImagePath(image))![0], format: image.format };
  },
  listPaths: ({ notices }) => [
    ...new Set(notices.flatMap(listUpdates).flatMap(({ content }) => listPageImagePaths(content))),
  ],
  render: (_view, parameters, _theme, bytes) => {
    const image = findPageImage(parameters);
    if (!image || !bytes) return null;
    return { type: imageTypes[image.format], body: bytes, headers: { 'Cache-Control': immutable } };
  },
};

const findPageImage = ({ path: { name = '' } }: RouteParameters) => parsePageImagePath(`images/${name}`);
