import sanitizeHtml from 'sanitize-html';

/** What stands for each reference while tags are looked at. These are no characters of any text: Unicode keeps them for the inside of programs. */
const held = [
  ['&amp;', '\uFDD0'],
  ['&lt;', '\uFDD1'],
  ['&gt;', '\uFDD2'],
  ['&#39;', '\uFDD3'],
  ['&quot;', '\uFDD4'],
] as const;

/**
 * Lets through what the rules allow. The parser hands on every reference by itself, at a cost that 65,535 of them make felt: those that Markdown writes are
 * kept out of its sight. They come back as references, so that whatever stands for one is never markup; in text a quote is itself.
 */
export function cleanHtml(html: string, rules: sanitizeHtml.IOptions): string {
  let hidden = html.replace(/[\uFDD0-\uFDD4]/g, '');
  for (const [reference, sign] of held) hidden = hidden.replaceAll(reference, sign);
  let clean = sanitizeHtml(hidden, rules);
  if (clean.includes('\uFDD4'))
    clean = clean.replace(/<[^>]*>|\uFDD4+/g, found => (found[0] === '<' ? found : '"'.repeat(found.length)));
  clean = clean.replaceAll('\uFDD3', "'");
  for (const [reference, sign] of held) clean = clean.replaceAll(sign, reference);
  return clean;
}
