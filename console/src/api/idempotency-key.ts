/** Not `crypto.randomUUID`, which browsers have on https only: a console in a private network may be on http. */
export const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
