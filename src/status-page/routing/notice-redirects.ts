import type { PublicRoute, RouteParameters } from './public-route.js';
import { noticeUrl } from '../view/urls.js';
import { renderRedirect } from './responses.js';

/**
 * Where other products have the page of a notice, and what their importers put before its id: a page that moves here
 * with its domain keeps the links to its history.
 */
const formerPaths: readonly [path: string, prefixes: readonly string[]][] = [
  // Statuspage, Cachet 2
  ['incidents/:notice', ['', 'incident ']],
  // Instatus, Better Stack
  ['incident/:notice', ['']],
  ['maintenance/:notice', ['']],
  // Cachet 2
  ['schedules/:notice', ['schedule ']],
];

const idPattern = /^[\w.-]{1,64}$/;

export const noticeRedirects: readonly PublicRoute[] = formerPaths.map(([path, prefixes]) => ({
  path,
  listPaths: () => [],
  requiredNotices: ({ path: { notice = '' } }: RouteParameters, { mount }) =>
    // Only at the host of the page, which another product had before.
    mount.path === '/' && idPattern.test(notice) ? { sourceIds: prefixes.map(prefix => prefix + notice) } : null,
  render: view => {
    const { notices, sliceTotal } = view;
    // Without a slice, these are other notices.
    const [notice] = sliceTotal === null ? [] : notices;
    return notice ? renderRedirect(301, noticeUrl(view, notice)) : null;
  },
}));
