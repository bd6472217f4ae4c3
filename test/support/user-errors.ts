interface Refused {
  errors?: { extensions: { userErrors?: { path: string[]; code: string; message: string }[] } }[];
}

const listRefused = ({ errors }: Refused) =>
  (errors?.[0]?.extensions.userErrors ?? []).map(({ path, ...rest }) => ({ field: path.at(-1)!, ...rest }));

/** The codes of the refused input of the first error, by field. */
export function codesByField(json: Refused): Record<string, string[]> {
  const refused = listRefused(json);
  return Object.fromEntries(
    refused.map(({ field }) => [field, refused.filter(one => one.field === field).map(({ code }) => code)]),
  );
}

/** The sentences about the refused input of the first error, by field. */
export const sentencesByField = (json: Refused): Record<string, string> =>
  Object.fromEntries(listRefused(json).map(({ field, message }) => [field, message]));
