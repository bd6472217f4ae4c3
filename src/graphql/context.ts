import type { Reader } from '../db/read.js';
import type { Writer } from '../db/write.js';
import type { Caller } from './access.js';

/** What a request brings to the resolvers. */
export interface Context {
  caller: Caller;
  read: Reader;
  write: Writer;
}
