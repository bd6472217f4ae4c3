/** The GSM 7-bit alphabet (3GPP TS 23.038): one septet a character. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡' +
    'ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Its extension: two septets a character, the first an escape. */
const extended = new Set('\f^{}\\[~]|€');

/** Replacements that look alike: one character outside the alphabet more than halves the length of every segment. */
const replacements: Record<string, string> = {
  '–': '-',
  '—': '-',
  '‑': '-',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '…': '...',
  '•': '-',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\t': ' ',
};

/** Replaces typographic characters if the text fits the GSM alphabet then; otherwise returns it unchanged. */
export function simplifyForSms(text: string): string {
  const plain = text.replace(/[–—‑“”„‘’‚…•\u00a0\u202f\t]/g, character => replacements[character]!);
  return isGsm(plain) ? plain : text;
}

export const isGsm = (text: string): boolean =>
  [...text].every(character => basic.has(character) || extended.has(character));

/** The number of segments. An escape and its character, or a surrogate pair, are never split over two segments. */
export function countSegments(text: string): number {
  const [sizes, singleCapacity, segmentCapacity] = isGsm(text)
    ? [[...text].map(character => (extended.has(character) ? 2 : 1)), 160, 153]
    : [[...text].map(character => character.length), 70, 67];
  if (sizes.reduce((sum, size) => sum + size, 0) <= singleCapacity) return 1;
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > segmentCapacity) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return segments;
}
