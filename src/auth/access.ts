import { Extensions } from 'type-graphql';
import type { Settings } from '../core/config.js';
import { forbidden, unauthenticated } from '../core/errors.js';

/** The caller of a request. `key` identifies it for rate limits and idempotency keys: a token's id, or 'bootstrap'. */
export type Caller =
  | { kind: 'anonymous'; reads: AnonymousReads }
  | { kind: 'token'; key: string; scope: 'read' | 'write' };

/** The setting ANONYMOUS_READS. */
export type AnonymousReads = Settings['anonymousReads'];

/**
 * What a GraphQL field requires of the caller. Every field that leads to records declares it; the default is 'read'.
 *   public  open without a token while ANONYMOUS_READS is public, the default: records that the public page shows
 *   page    open without a token while ANONYMOUS_READS is page or public: a single page and a single component
 *   read    any token
 *   write   a token of scope write
 */
export type Access = 'page' | 'public' | 'read' | 'write';

const anonymousAccess = { none: [], page: ['page'], public: ['page', 'public'] } as const satisfies Record<
  AnonymousReads,
  Access[]
>;

/** Marks a field with the access it requires; the compiler of selections and the root resolvers both check it. */
export const RequiresAccess = (access: Access) => Extensions({ access });

export function requireAccess(caller: Caller, access: Access): void {
  if (caller.kind === 'anonymous') {
    if (!(anonymousAccess[caller.reads] as readonly Access[]).includes(access)) throw unauthenticated();
  } else if (access === 'write' && caller.scope !== 'write') {
    throw forbidden();
  }
}
