import { TrustedDocuments } from '../../src/graphql/trusted-documents.js';
import { AnonymousResponses } from '../../src/http/anonymous-responses.js';
import { BodyTimes } from '../../src/http/body.js';
import type { Revalidator } from '../../src/http/revalidation.js';
import { schema } from '../../src/schema.js';

/** What the APIs can do without: no ETag is remembered, and there are no trusted documents. */
export const apiParts = {
  bodyTimes: new BodyTimes(),
  anonymousResponses: new AnonymousResponses({ read: async () => '' }),
  revalidator: { begin: async () => null } as unknown as Revalidator,
  documents: TrustedDocuments.load('', schema),
};
