import { Extensions } from 'type-graphql';
import { settings } from '../core/config.js';
import { forbidden, unauthenticated } from '../core/errors.js';

/** Who asks. `key` counts requests and idempotency keys: a token's id, or 'bootstrap'. */
export type Caller = { kind: 'anonymous' } | { kind: 'token'; key: string; scope: 'read' | 'write' };

/**
 * What a field of the graph asks of the caller. Every field that leads to records carries one; a field without stands for 'read'.
 *   page    open without a token while ANONYMOUS_READS is page or public: what a single page and a single component show
 *   public  open without a token while ANONYMOUS_READS is public
 *   read    any token
 *   write   a token of scope write
 */
export type Access = 'page' | 'public' | 'read' | 'write';

const openTo = { none: [], page: ['page'], public: ['page', 'public'] } as const satisfies Record<
  typeof settings.anonymousReads,
  Access[]
>;

/** Marks a field with what it asks; the selection walk and the root resolvers both read it. */
export const Asks = (access: Access) => Extensions({ access });

export function check(caller: Caller, access: Access): void {
  if (caller.kind === 'anonymous') {
    if (!(openTo[settings.anonymousReads] as readonly Access[]).includes(access)) throw unauthenticated();
  } else if (access === 'write' && caller.scope !== 'write') {
    throw forbidden();
  }
}
