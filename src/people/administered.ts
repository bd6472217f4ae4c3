import { type Caller, findReadablePages } from '../auth/access.js';
import type { Viewer } from '../records/record-rules.js';

/** The pages of which a caller administers the people and tokens. Null: all of them. */
export const findAdministeredPages = (caller: Caller): string[] | null =>
  caller.kind === 'anonymous' ? [] : findReadablePages(caller, ['administrator']);

/**
 * A condition that an owner of all pages meets, the person who asks, and owners of pages as `isOfPages` says. It has
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

/** The id of the person who asks; 0, which nobody has, where it is none. */
export const personIdOf = (caller: Caller): number => (caller.kind === 'person' ? caller.personId : 0);
