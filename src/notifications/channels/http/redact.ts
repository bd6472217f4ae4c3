const longest = 500;

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** What the other side said, for the operator: on one line, 500 characters at most, and none of what is secret, in whatever writing it comes back. */
export function answerOf(said: string, secrets: readonly (string | null | undefined)[] = []): string {
  if (!secrets.length && said.length <= longest && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(said)) return said;
  const writings = secrets.flatMap(secret =>
    secret
      ? [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64'),
          inJson(secret),
          inJson(secret).replaceAll('/', '\\/'),
        ]
      : [],
  );
  // The longest first: a part that goes alone would leave the rest.
  const silent = writings
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, secret) => text.replaceAll(secret, '[…]'), said);
  return [
    ...silent
      .toWellFormed()
      .replace(/[\p{Control}\u2028\u2029\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, longest)
    .join('');
}
