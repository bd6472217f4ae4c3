import type { ResponseCache } from '../../src/http/response-cache.js';

/** Keeps no response in memory. */
export const noResponses = { respond: async () => false, createKeeper: () => undefined } as unknown as ResponseCache;
