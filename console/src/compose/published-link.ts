import type { Written } from '../publishing/sending.ts';

/** The notice, or the list of what was published on several pages. */
export function toPublished(pageIds: string[], written: Written[]): string {
  const [only, ...others] = written.map(({ notice, publication }, index) => ({
    page: pageIds[index]!,
    notice: notice!.id,
    publication: publication?.id,
  }));
  if (!others.length) {
    const query = only!.publication ? `?publication=${only!.publication}` : '';
    return `/pages/${only!.page}/notices/${only!.notice}${query}`;
  }
  const parts = [only!, ...others].map(({ page, notice, publication = '' }) => `${page}.${notice}.${publication}`);
  return `/published?on=${parts.join(',')}`;
}
