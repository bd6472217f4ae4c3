import { type Caller, findReadablePages } from '../auth/access.js';
import type { Viewer } from '../records/record-rules.js';

/** The pages whose people and tokens a caller administers. Null: all pages. */
export const findAdministeredPages = (caller: Caller): string[] | null =>
  caller.kind === 'anonymous' ? [] : findReadablePages(caller, ['administrator']);

/**
 * A condition that an owner of all pages meets, the person concerned, and owners of pages as `isOfPages` says. It has
 * parameters for every caller, so that its statement is not cached for others.
 */
export function compileAdministered(
  { caller, bind }: Viewer,
  personId: string,
  isOfPages: (pages: string) => string = () => 'false',
): string {
  const pages = `${bind(findAdministeredPages(caller))}::text[]`;
  return `(${pages} is null or ${personId} = ${bind(personIdOf(caller))}::integer or ${isOfPages(pages)})`;
}

/** The id of the signed-in person; 0, which nobody has, for other callers. */
export const personIdOf = (caller: Caller): number => (caller.kind === 'person' ? caller.personId : 0);
