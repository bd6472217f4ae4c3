const maxLength = 500;
/** A shorter one is a part of many words, which would be replaced by marks. */
const minSecretLength = 4;

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Makes a response fit for the operator: one line of at most 500 characters, without secrets in any encoding. */
export function redact(text: string, secrets: readonly (string | null | undefined)[] = []): string {
  if (!secrets.length && text.length <= maxLength && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text))
    return text;
  return [
    ...hideSecrets(
      text,
      secrets.filter(secret => secret && secret.length >= minSecretLength),
    )
      .toWellFormed()
      .replace(/[\p{Control}\u2028\u2029\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, maxLength)
    .join('');
}

/** Replaces secrets, in any encoding. */
export function hideSecrets(text: string, secrets: readonly (string | null | undefined)[]): string {
  const encodings = secrets.flatMap(secret =>
    secret
      ? [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64'),
          escapeJson(secret),
          escapeJson(secret).replaceAll('/', '\\/'),
        ]
      : [],
  );
  // The longest first: a shorter secret may be part of a longer one.
  return encodings
    .toSorted((one, other) => other.length - one.length)
    .reduce((result, secret) => result.replaceAll(secret, '[…]'), text);
}
