import type { Asked, Drawing, Face } from '../../src/status-page/server/public-route.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import type { PageView } from '../../src/status-page/view/view.js';

/** The drawing of a face, which must be there. */
export function drawn(view: PageView, face: Face = frontPage, { path = {}, query = {} }: Partial<Asked> = {}): Drawing {
  const drawing = face.draw(view, { path, query });
  if (!drawing || drawing instanceof Promise) throw new Error(`nothing at ${face.path}`);
  return drawing;
}

export const documentOf = (view: PageView, face?: Face, asked?: Partial<Asked>): string =>
  String(drawn(view, face, asked).body);

/** What a document says, without its style, scripts and markup; references resolved. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof characters) => characters[name])
    .replace(/\s+/g, ' ')
    .trim();
}

const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
