import type { GraphQLSchema } from 'graphql';
import type PQueue from 'p-queue';
import type { Caller } from '../auth/access.js';
import type { Authenticator } from '../auth/authenticator.js';
import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import type { RunRead } from '../db/prepared-statements.js';
import type { Admission } from '../http/admission/admission.js';
import type { BodyLimits } from '../http/body-limits.js';
import type { AnonymousResponses } from '../http/anonymous-responses.js';
import type { Browser } from '../http/browser.js';
import type { IdentifyCaller } from '../http/identify-caller.js';
import type { RateLimiter } from '../http/rate-limit.js';
import type { IdempotentRequests } from '../http/idempotency.service.js';
import type { TrustedDocuments } from './trusted-documents.js';
import type { ResponseSize } from '../records/raise-sql.js';
import type { Reader } from '../records/reader.js';
import type { Writer } from '../records/writer.js';

/**
 * What features use of the adapters, which they may not import. The composition, which knows their types, declares and
 * creates them (server/open-api.ts).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the composition adds to it
export interface ExternalServices {}

/** What both APIs are built from. */
export interface ApiDependencies {
  /** That of the operations of /v1. */
  schema: GraphQLSchema;
  database: Database;
  settings: Settings;
  rateLimiter: RateLimiter;
  admission: Admission;
  bodyLimits: BodyLimits;
  authenticator: Authenticator;
  identifyCaller: IdentifyCaller;
  services: ExternalServices;
  anonymousResponses: AnonymousResponses;
  idempotentRequests: IdempotentRequests;
  documents: TrustedDocuments;
}

/** The context of the resolvers, one per request. */
export interface Context {
  caller: Caller;
  /** Where a page of this service asks, which can sign in: null for other sites, programs and /v1. */
  browser: Browser | null;
  /** The database of `read` and `write`, for the sign-in. */
  database: Database;
  authenticator: Authenticator;
  read: Reader;
  /** What resolvers return, but for what `read` has counted. */
  returned: ResponseSize;
  write: Writer;
  settings: Settings;
  services: ExternalServices;
  /** Runs a statement that only reads. */
  run: RunRead;
  /** Objects of the response that were computed for the public page, and take no work of the database. */
  fromMemory: { objects: number };
  /** Runs what takes long of a request, one after another. */
  inOrder: PQueue;
  /** How many characters of monthly reports and lists of subscribers the response can still have. */
  reports: { left: number };
  /** Reads once in the request, however many fields need it. */
  readOnce<Result>(key: string, read: () => Promise<Result>): Promise<Result>;
}
