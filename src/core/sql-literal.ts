/** Quotes a text for SQL. Only for settings and constants: values of clients must be parameters. */
export const quoteLiteral = (value: string): string => `'${value.replaceAll("'", "''")}'`;
