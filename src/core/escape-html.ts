const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** For text and for attributes between double quotes. Control characters are no characters of HTML. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Control}\n\t]/gu, '')
    .replace(/[&<>"']/g, character => references[character]!);
}
