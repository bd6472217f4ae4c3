/** Bytes that Windows-1252 does not use: a file that has them is in another encoding. */
const unused = /[\u0081\u008d\u008f\u0090\u009d]/;

/**
 * The text of a file of Excel, Outlook or an export: UTF-8 or UTF-16, with a byte order mark or without, or else
 * Windows-1252. Null: it is in none of them. The console reads files by the same function.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const text = decode(bytes, findUtf16(bytes) ?? 'utf-8') ?? decode(bytes, 'windows-1252');
  return text === null || text.includes('\0') || unused.test(text) ? null : text;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** By its mark, or by the zero that each Latin letter has before it or after it. */
function findUtf16([first = 1, second = 1]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : null;
}
