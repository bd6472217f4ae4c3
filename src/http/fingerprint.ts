import { createHash } from 'node:crypto';

/** Equal exactly when the values are, in any order of names; `1` and `"1"` differ, and files count by their bytes. */
export const fingerprint = (value: unknown): string => sha256(JSON.stringify(canonical(value)));

function canonical(value: unknown): unknown {
  if (value instanceof Uint8Array) return { file: sha256(value) };
  if (Array.isArray(value)) return { list: value.map(canonical) };
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return { map: entries.map(([name, member]) => [name, canonical(member)]) };
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');
