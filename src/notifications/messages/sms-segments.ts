/** The alphabet of SMS (3GPP TS 23.038), one septet a character; those of the second take an escape before them, so two. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

/** Characters that people hardly see the difference of, and each of which would more than halve what a segment holds. */
const alike: Record<string, string> = {
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

/** With typographic characters made plain where that is enough for the short alphabet; else as it was. */
export function forSms(text: string): string {
  const plain = text.replace(/[–—‑“”„‘’‚…•\u00a0\u202f\t]/g, character => alike[character]!);
  return isGsm(plain) ? plain : text;
}

export const isGsm = (text: string): boolean =>
  [...text].every(character => basic.has(character) || extended.has(character));

/** How many segments a text takes. No escape is parted from its character, and no half of a surrogate pair from the other. */
export function segmentsOf(text: string): number {
  const [sizes, single, each] = isGsm(text)
    ? [[...text].map(character => (extended.has(character) ? 2 : 1)), 160, 153]
    : [[...text].map(character => character.length), 70, 67];
  if (sizes.reduce((sum, size) => sum + size, 0) <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > each) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return segments;
}
