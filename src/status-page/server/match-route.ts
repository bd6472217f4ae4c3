import { findLocale, type Locale } from '../../i18n/locales.js';
import type { RouteParameters, PublicRoute } from '../routing/public-route.js';
import { publicRoutes } from './public-routes.js';

export interface RouteMatch {
  /** Cache key: equal for all requests that have the same response. */
  key: string;
  route: PublicRoute;
  parameters: RouteParameters;
  /** The requested language; null is the page's own. */
  locale: Locale | null;
}

/** Longer than any valid value of a query parameter. */
const maxValueLength = 64;
const maxSegmentLength = 200;

const routeTable = publicRoutes.flatMap(route =>
  [route.path, ...(route.aliases ?? [])].map(path => ({ route, segments: path.split('/') })),
);

/** Finds the route of a path relative to the page's mount (`notices/abc`, without a leading slash). Null is a 404. */
export function matchRoute(path: string, query: string): RouteMatch | null {
  const requestedSegments = path.split('/').map(decodeSegment);
  const searchParameters = new URLSearchParams(query);
  for (const { route, segments } of routeTable) {
    const pathParameters = matchSegments(segments, requestedSegments);
    if (!pathParameters) continue;
    const parameters: RouteParameters = { path: pathParameters, query: {} };
    for (const name of route.query ?? []) {
      const value = searchParameters.get(name);
      if (value && name !== 'lang' && value.length <= maxValueLength) parameters.query[name] = value;
    }
    const locale = route.query?.includes('lang') ? findLocale(searchParameters.get('lang')) : null;
    const key = JSON.stringify([route.path, Object.values(pathParameters), parameters.query, locale]);
    return { key, route, parameters, locale };
  }
  return null;
}

function matchSegments(
  segments: readonly string[],
  requestedSegments: readonly (string | null)[],
): Record<string, string> | null {
  if (segments.length !== requestedSegments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = requestedSegments[index];
    if (value === null || value === undefined) return null;
    if (segment.startsWith(':')) {
      if (!value || value.length > maxSegmentLength) return null;
      parameters[segment.slice(1)] = value;
    } else if (segment !== value) return null;
  }
  return parameters;
}

/** Null: the percent-encoding is malformed. */
function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
