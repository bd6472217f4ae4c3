/** JSON without lone surrogates: `\ud800` is valid JSON by its grammar, but many parsers reject it. */
export function toWellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
}
