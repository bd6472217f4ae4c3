/** A text as SQL writes it; for what comes from settings and from our own tables, never for what a client sent. */
export const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;
