import type { Database } from '../../src/db/database.js';
import { TrustedDocuments } from '../../src/graphql/trusted-documents.js';
import { AnonymousResponses } from '../../src/http/anonymous-responses.js';
import { BodyLimits } from '../../src/http/body-limits.js';
import { IdempotentRequests } from '../../src/http/idempotency.service.js';
import { schema } from '../../src/schema.js';

/** What the APIs can do without: no response is remembered, and there are no trusted documents. */
export const createApiParts = (database: Database) => ({
  bodyLimits: new BodyLimits(),
  anonymousResponses: new AnonymousResponses({ read: async () => '' }),
  idempotentRequests: new IdempotentRequests(database),
  documents: TrustedDocuments.load('', schema),
});
