/** JSON that is not parsed: text, or its bytes in UTF-8, as the database sends them. */
export type JsonText = string | Buffer;

export const parseJson = (json: JsonText): unknown => JSON.parse(String(json));

/** Text where all parts are. Bytes are not decoded: a long response would be copied twice. */
export const joinJson = (parts: readonly JsonText[]): JsonText =>
  parts.every(part => typeof part === 'string') ? parts.join('') : Buffer.concat(parts.map(toBytes));

export const toBytes = (json: JsonText): Buffer => (typeof json === 'string' ? Buffer.from(json) : json);
