/** What was refused, without the name of a field: there is none on the screen. */
export const toError = (userErrors: { message: string }[] = []): Error | null =>
  userErrors[0] ? new Error(userErrors[0].message.replaceAll('`', '')) : null;
