/** JSON that is not parsed: a string, or its bytes in UTF-8, as the database sends them. */
export type Json = string | Buffer;

export const parseJson = (json: Json): unknown => JSON.parse(String(json));

/** Joins parts of JSON: a string if all are, otherwise bytes. Bytes are not decoded, which would copy them twice. */
export const joinJson = (parts: readonly Json[]): Json =>
  parts.every(part => typeof part === 'string') ? parts.join('') : Buffer.concat(parts.map(toBytes));

export const toBytes = (json: Json): Buffer => (typeof json === 'string' ? Buffer.from(json) : json);
