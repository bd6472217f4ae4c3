const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text and double-quoted attributes. Removes control characters, which HTML does not allow. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Control}\n\t]/gu, '')
    .replace(/[&<>"']/g, character => references[character]!);
}
