import type { Reader } from '../records/reader.js';
import type { Writer } from '../records/writer.js';
import type { Caller } from '../auth/access.js';

/** What a request brings to the resolvers. */
export interface Context {
  caller: Caller;
  read: Reader;
  write: Writer;
}
