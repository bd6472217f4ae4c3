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
  { query: { page = '', ...filters } }: RouteParameters,
): { records: readonly Item[]; meta: ListMeta } {
  const number = /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
  const end = number * recordsPerPage;
  const records = items.slice(end - recordsPerPage, end);
  const next = new URLSearchParams({ ...filters, page: String(number + 1) });
  const next_page = end < items.length ? `${path}?${next}` : null;
  return { records, meta: { count: records.length, total_count: items.length, next_page } };
}
