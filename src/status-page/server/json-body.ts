/** JSON in whose texts no half of a surrogate pair is left: it may be written by its number, but many readers refuse that. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
}
