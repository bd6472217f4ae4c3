import type { RouteParameters } from '../routing/public-route.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';

/** The page of a list that `?page=` requests. Null: not a number, in the one form that the links have. */
export function parsePageNumber({ query: { page = '1' } }: RouteParameters): number | null {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : null;
}

/** The first page has the URL of the list. */
export const withPageNumber = (query: Record<string, string>, pageNumber: number): Record<string, string> =>
  pageNumber > 1 ? { ...query, page: String(pageNumber) } : query;

interface Pages {
  path: string;
  query?: Record<string, string>;
  pageNumber: number;
  pageCount: number;
}

/** "Page 2 of 9" between links to the previous and the next page. */
export function renderPager(
  { translator: { t }, urlFor }: RenderContext,
  { path, query = {}, pageNumber, pageCount }: Pages,
): Markup | null {
  if (pageCount === 1) return null;
  const renderLink = (target: number, label: 'list.previousPage' | 'list.nextPage', rel: string) =>
    target >= 1 &&
    target <= pageCount &&
    html`<a href="${urlFor(path, withPageNumber(query, target))}" rel="${rel}">${t(label)}</a>`;
  const position = t('list.page', { page: pageNumber, total: pageCount });
  return html`
    <nav class="pages" aria-label="${position}">
      ${renderLink(pageNumber - 1, 'list.previousPage', 'prev')}
      <span>${position}</span>
      ${renderLink(pageNumber + 1, 'list.nextPage', 'next')}
    </nav>`;
}

/** "12 more notices", a link to the list that has them. */
export function renderMoreLink(
  { translator: { t }, urlFor }: RenderContext,
  count: number,
  path: string,
): Markup | null {
  return count ? html`<p><a class="more" href="${urlFor(path)}">${t('list.more', { count })}</a></p>` : null;
}
