import { TrustedDocuments } from '../../src/graphql/trusted-documents.js';
import type { ResponseCache } from '../../src/http/response-cache.js';
import { schema } from '../../src/schema.js';

/** What the APIs can do without: no response is kept in memory, and there are no trusted documents. */
export const apiParts = {
  responses: {
    respond: async () => false,
    prepare: async () => {},
    createKeeper: () => undefined,
  } as unknown as ResponseCache,
  documents: TrustedDocuments.load('', schema),
};
