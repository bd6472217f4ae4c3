import { parseColour, toHex, chooseReadable, white } from '../../pages/branding/contrast.js';
import { iconPaths } from '../../pages/branding/icon-paths.js';
import { stateStyles } from '../../pages/branding/state-styles.js';
import { type Xml, xml } from '../feeds/xml.js';
import type { Icon } from '../html/icons.js';
import type { DisplayedState } from '../html/status-icons.js';
import { estimateTextWidth } from '../../content/raster/text-width.js';

export interface BadgeContent {
  displayedState: DisplayedState;
  name: string;
  stateLabel: string;
  /** The accessible name of the image. */
  title: string;
  /** The state in one sentence. */
  sentence: string;
  direction: 'ltr' | 'rtl';
  palette: Record<string, string>;
}

/** In pixels. */
const height = 20;
const fontSize = 11;
const padding = 6;
const iconSize = 12;
const iconGap = 4;

/** The name, followed by the state on a background of its colour. */
export function flatBadge({ displayedState, name, stateLabel, title, direction, palette }: BadgeContent): Xml {
  const { tone, icon } = stateStyles[displayedState];
  const nameWidth = measureText(name) + 2 * padding;
  const stateWidth = iconSize + iconGap + measureText(stateLabel) + 2 * padding;
  const width = nameWidth + stateWidth;
  // In a right-to-left language the name is on the right.
  const isRightToLeft = direction === 'rtl';
  const stateStart = isRightToLeft ? 0 : nameWidth;
  const nameStart = isRightToLeft ? stateWidth : 0;
  const iconStart = stateStart + (isRightToLeft ? stateWidth - padding - iconSize : padding);
  const labelStart = stateStart + (isRightToLeft ? padding : padding + iconSize + iconGap);
  const background = palette[tone]!;
  const foreground = toHex(chooseReadable(parseColour(background), white));
  const statePath = isRightToLeft ? leftRoundedPath(stateWidth) : rightRoundedPath(nameWidth, stateWidth);
  return renderSvg(width, title, [
    renderFrame(width, palette.page!, background),
    xml`<path fill="${background}" d="${statePath}"/>`,
    renderText(name, nameStart + padding, palette.text!, direction),
    renderIconPath(icon, iconStart, foreground),
    renderText(stateLabel, labelStart, foreground, direction),
  ]);
}

/** Only the icon. */
export function dotBadge({ displayedState, title, palette }: BadgeContent): Xml {
  const { tone, icon } = stateStyles[displayedState];
  return renderSvg(height, title, [renderIconPath(icon, (height - iconSize) / 2, palette[tone]!)]);
}

/** The icon and a sentence on a transparent background. */
export function textBadge({ displayedState, sentence, title, direction, palette }: BadgeContent): Xml {
  const { tone, icon } = stateStyles[displayedState];
  const width = iconSize + iconGap + measureText(sentence) + 2;
  const isRightToLeft = direction === 'rtl';
  return renderSvg(width, title, [
    renderIconPath(icon, isRightToLeft ? width - iconSize - 1 : 1, palette[tone]!),
    renderText(sentence, isRightToLeft ? 1 : iconSize + iconGap + 1, palette.text!, direction),
  ]);
}

function measureText(text: string): number {
  return Math.max(1, Math.round(estimateTextWidth(text) * fontSize));
}

function renderSvg(width: number, title: string, content: Xml[]): Xml {
  const size = xml`width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const label = xml`role="img" aria-label="${title}"`;
  return xml`<svg xmlns="http://www.w3.org/2000/svg" ${size} ${label}><title>${title}</title>${content}</svg>
`;
}

function renderFrame(width: number, fill: string, stroke: string): Xml {
  const size = xml`width="${width - 1}" height="${height - 1}"`;
  return xml`<rect x="0.5" y="0.5" ${size} rx="3.5" fill="${fill}" stroke="${stroke}"/>`;
}

const fontFamily = 'Verdana,Geneva,DejaVu Sans,sans-serif';

function renderText(text: string, start: number, colour: string, direction: string): Xml {
  const width = measureText(text);
  const position = xml`x="${start + width / 2}" y="14" fill="${colour}"`;
  const font = xml`font-family="${fontFamily}" font-size="${fontSize}" text-anchor="middle"`;
  const fit = xml`direction="${direction}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  return xml`<text ${position} ${font} ${fit}>${text}</text>`;
}

function renderIconPath(icon: Icon, start: number, colour: string): Xml {
  const transform = `translate(${start} ${(height - iconSize) / 2}) scale(${iconSize / 16})`;
  return xml`<path fill="${colour}" fill-rule="evenodd" transform="${transform}" d="${iconPaths[icon]}"/>`;
}

function rightRoundedPath(start: number, width: number): string {
  return `M${start} 0h${width - 4}a4 4 0 0 1 4 4v${height - 8}a4 4 0 0 1-4 4h-${width - 4}z`;
}

function leftRoundedPath(width: number): string {
  return `M${width} 0h-${width - 4}a4 4 0 0 0-4 4v${height - 8}a4 4 0 0 0 4 4h${width - 4}z`;
}
