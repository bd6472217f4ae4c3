import sanitizeHtml from 'sanitize-html';

/** Stand-ins for entities while the HTML is parsed: Unicode noncharacters, which occur in no text. */
const standIns = [
  ['&amp;', '\uFDD0'],
  ['&lt;', '\uFDD1'],
  ['&gt;', '\uFDD2'],
  ['&#39;', '\uFDD3'],
  ['&quot;', '\uFDD4'],
] as const;

/**
 * Removes all HTML that the rules do not allow. The HTML parser is slow for thousands of entities, so those that
 * Markdown writes are hidden from it. They are restored as entities, so that they never become markup; in text, a quote
 * is restored as a plain character.
 */
export function sanitize(html: string, rules: sanitizeHtml.IOptions): string {
  let hidden = html.replace(/[\uFDD0-\uFDD4]/g, '');
  for (const [entity, standIn] of standIns) hidden = hidden.replaceAll(entity, standIn);
  let clean = sanitizeHtml(hidden, rules);
  if (clean.includes('\uFDD4'))
    clean = clean.replace(/<[^<>]*>|\uFDD4+/g, match => (match[0] === '<' ? match : '"'.repeat(match.length)));
  clean = clean.replaceAll('\uFDD3', "'");
  for (const [entity, standIn] of standIns) clean = clean.replaceAll(standIn, entity);
  return clean;
}
