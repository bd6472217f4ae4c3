import { useQuery } from '@tanstack/react-query';
import { PageHeadsDocument, type PageHeadsQuery } from '../api/documents.ts';
import type { SessionPage } from '../api/session.ts';
import { request } from '../api/transport.ts';
import { compareStates } from '../ui/state-icon.tsx';

type ReadHead = NonNullable<NonNullable<PageHeadsQuery['viewer']>['pages']>['nodes'][number];

/** What visitors of a page see first. */
export interface PageHead extends Pick<ReadHead, 'locale'>, NonNullable<ReadHead['banner']> {
  page: SessionPage;
}

const refreshMs = 20_000;
/** Up to so many, those are read on which nothing is open, too. */
export const maxPages = 5;

/** The heads of the pages, worst first: of all, if they are few, or of ten of those on which something is open. */
export function usePageHeads(pages: SessionPage[]): PageHead[] | undefined {
  const filter = pages.length > maxPages ? { state: { eq: 'DEGRADED' as const } } : {};
  const { data } = useQuery({
    queryKey: [PageHeadsDocument.toString(), filter],
    queryFn: ({ signal }) => request(PageHeadsDocument, { filter }, { signal }),
    enabled: pages.length > 0,
    refetchInterval: refreshMs,
    // For the title and the icon of a tab that is not in front.
    refetchIntervalInBackground: true,
  });
  return data?.viewer?.pages?.nodes
    .flatMap(({ id, locale, banner }) => {
      const page = pages.find(each => each.id === id);
      return page && banner ? [{ page, locale, ...banner }] : [];
    })
    .sort((one, other) => compareStates(one.status, other.status));
}
