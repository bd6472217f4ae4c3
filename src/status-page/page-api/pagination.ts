import { parsePageNumber, withPageNumber } from '../html/pager.js';
import type { RouteParameters } from '../routing/public-route.js';

const recordsPerPage = 25;

interface ListMeta {
  count: number;
  total_count: number;
  /** A path with the filters of the request; null on the last page. */
  next_page: string | null;
}

/** One page of a list. The parameter `page` selects it; anything but a page number counts as 1, as in /v1. */
export function paginate<Item>(
  items: readonly Item[],
  path: string,
  parameters: RouteParameters,
): { records: readonly Item[]; meta: ListMeta } {
  const number = parsePageNumber(parameters) ?? 1;
  const end = number * recordsPerPage;
  const records = items.slice(end - recordsPerPage, end);
  const next = new URLSearchParams(withPageNumber(parameters.query, number + 1));
  const next_page = end < items.length ? `${path}?${next}` : null;
  return { records, meta: { count: records.length, total_count: items.length, next_page } };
}
