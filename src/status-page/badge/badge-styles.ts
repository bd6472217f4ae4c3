import { colourOf, hexOf, readable, white } from '../../branding/contrast.js';
import { type Xml, xml } from '../feeds/xml.js';
import { type Icon, shapeOf } from '../html/icons.js';
import type { Standing } from '../html/status-icons.js';
import { textWidth } from './text-width.js';

export interface Look {
  standing: Standing;
  name: string;
  state: string;
  title: string;
  /** What there is to say in one line. */
  sentence: string;
  direction: 'ltr' | 'rtl';
  palette: Record<string, string>;
}

/** Told apart by shape too, by who sees no colours. */
const signs: Record<Standing, readonly [tone: string, icon: Icon]> = {
  operational: ['ok', 'check'],
  maintenance: ['plan', 'wrench'],
  'partially-degraded': ['part', 'half'],
  degraded: ['warn', 'alert'],
};

const height = 20;
const letters = 11;
const margin = 6;
const signSize = 12;

/** The name, and the state on its colour. */
export function flatBadge({ standing, name, state, title, direction, palette }: Look): Xml {
  const [tone, icon] = signs[standing];
  const nameWidth = widthOf(name) + 2 * margin;
  const stateWidth = signSize + 4 + widthOf(state) + 2 * margin;
  const width = nameWidth + stateWidth;
  // What is read first stands first.
  const isRightToLeft = direction === 'rtl';
  const stateStart = isRightToLeft ? 0 : nameWidth;
  const nameStart = isRightToLeft ? stateWidth : 0;
  const signStart = stateStart + (isRightToLeft ? stateWidth - margin - signSize : margin);
  const wordStart = stateStart + (isRightToLeft ? margin : margin + signSize + 4);
  const background = palette[tone]!;
  const writing = hexOf(readable(colourOf(background), white));
  return svg(width, title, [
    xml`<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="3.5" fill="${palette.page!}" stroke="${background}"/>`,
    xml`<path fill="${background}" d="${isRightToLeft ? leftEnd(stateWidth) : rightEnd(nameWidth, stateWidth)}"/>`,
    line(name, nameStart + margin, palette.text!, direction),
    sign(icon, signStart, writing),
    line(state, wordStart, writing, direction),
  ]);
}

/** The sign alone. */
export function signBadge({ standing, title, palette }: Look): Xml {
  const [tone, icon] = signs[standing];
  return svg(height, title, [sign(icon, (height - signSize) / 2, palette[tone]!)]);
}

/** The sign and a sentence, on whatever is behind. */
export function wordBadge({ standing, sentence, title, direction, palette }: Look): Xml {
  const [tone, icon] = signs[standing];
  const width = signSize + 4 + widthOf(sentence) + 2;
  const isRightToLeft = direction === 'rtl';
  return svg(width, title, [
    sign(icon, isRightToLeft ? width - signSize - 1 : 1, palette[tone]!),
    line(sentence, isRightToLeft ? 1 : signSize + 5, palette.text!, direction),
  ]);
}

function widthOf(text: string): number {
  return Math.max(1, Math.round(textWidth(text) * letters));
}

function svg(width: number, title: string, content: Xml[]): Xml {
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}"><title>${title}</title>${content}</svg>
`;
}

function line(text: string, start: number, colour: string, direction: string): Xml {
  const width = widthOf(text);
  return xml`<text x="${start + width / 2}" y="14" fill="${colour}" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="${letters}" text-anchor="middle" direction="${direction}" textLength="${width}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
}

function sign(icon: Icon, start: number, colour: string): Xml {
  return xml`<path fill="${colour}" fill-rule="evenodd" transform="translate(${start} ${(height - signSize) / 2}) scale(${signSize / 16})" d="${shapeOf(icon)}"/>`;
}

function rightEnd(start: number, width: number): string {
  return `M${start} 0h${width - 4}a4 4 0 0 1 4 4v${height - 8}a4 4 0 0 1-4 4h-${width - 4}z`;
}

function leftEnd(width: number): string {
  return `M${width} 0h-${width - 4}a4 4 0 0 0-4 4v${height - 8}a4 4 0 0 0 4 4h${width - 4}z`;
}
