import { useSuspenseQuery } from '@tanstack/react-query';
import { DraftDocument, type DraftRowFragment } from '../api/documents.ts';
import { request, RequestError } from '../api/transport.ts';

/** Null: it was published or deleted. It may be by what was pressed here, whose response is still awaited. */
export const useDraft = (pageId: string, id: string): DraftRowFragment | null =>
  useSuspenseQuery({
    queryKey: ['draft', pageId, id],
    queryFn: async ({ signal }) => {
      try {
        return (await request(DraftDocument, { pageId, id }, { signal })).draft ?? null;
      } catch (error) {
        if (error instanceof RequestError && error.code === 'NOT_FOUND') return null;
        throw error;
      }
    },
  }).data;
