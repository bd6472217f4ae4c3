import type { NoticeChangeInput } from '../api/documents.ts';

/** What was saved as a draft: without what was not given, and with what was cleared. */
export const toInput = (change: object): NoticeChangeInput => clean(change) as NoticeChangeInput;

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  const { cleared = [], ...fields } = value as Record<string, unknown> & { cleared?: string[] };
  // What programs keep in `metadata` is theirs.
  const cleanField = (name: string, one: unknown) => (name === 'metadata' ? one : clean(one));
  const given = Object.entries(fields).flatMap(([name, one]) => (one === null ? [] : [[name, cleanField(name, one)]]));
  return Object.fromEntries([...given, ...cleared.map(name => [name, null])]);
}
