import { iconPaths } from '../../pages/branding/icon-paths.js';
import { stateStyles } from '../../pages/branding/state-styles.js';
import { estimateTextWidth } from '../../content/raster/text-width.js';
import { canDraw, fontFamily } from '../../content/raster/fonts.js';
import { getTranslator } from '../../i18n/translator.js';
import type { PublicRoute } from '../routing/public-route.js';
import { bannerText } from '../view/banner-text.js';
import type { RequiredImage } from '../view/load-image.js';
import type { PageView } from '../view/view.js';
import { html, type Markup, renderToString } from './html.js';
import { createPalette } from './style/palette.js';

/** The size that social networks and chats show in full. */
export const socialImageSize = { width: 1200, height: 630 };

const margin = 80;
/** The band that looks as the header of the page, for which the logo was made. */
const headerHeight = 150;
const logoHeight = 72;
const nameSize = 44;
const sentenceSize = 60;
const maxLines = 3;

/** The image of a link to the page: logo or name, state, and host. Words whose letters the font lacks are left out. */
export const socialImage: PublicRoute = {
  path: 'og.png',
  isRasterized: true,
  requiredImage: (_parameters, view) => findLogo(view),
  render: (view, _parameters, _theme, logo) => ({
    type: 'image/png',
    body: renderToString(renderImage(view, logo ?? null)),
  }),
};

/** As PNG: the renderer reads no WebP, and an SVG was rendered when it was uploaded. */
function findLogo({ images: { logo } }: PageView): RequiredImage | null {
  return logo && logo.format !== 'webp' ? { hash: logo.hash, format: 'png' } : null;
}

function renderImage(view: PageView, logo: Buffer | null): Markup {
  const { width, height } = socialImageSize;
  const palette = createPalette(view, 'light');
  const { kind } = view.banner;
  const sentence = bannerText(view.banner, getTranslator(view.locale));
  const lines = canDraw(sentence) ? wrap(sentence, (width - 2 * margin - 170) / sentenceSize) : [];
  const middle = (headerHeight + height - 60) / 2;
  const iconSize = lines.length ? 130 : 220;
  const scale = iconSize / 16;
  const host = new URL(view.mount.canonical).host;
  const firstBaseline = middle - ((lines.length - 1) * sentenceSize * 1.2) / 2 + sentenceSize * 0.35;
  return html`
    <svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"
      font-family="${fontFamily}" font-weight="600">
      <rect width="${width}" height="${height}" fill="${palette.panel}"/>
      <rect width="${width}" height="${headerHeight}" fill="${palette.navbar}"/>
      <rect y="${headerHeight}" width="${width}" height="12" fill="${palette.tone}"/>
      ${renderName(view, logo, palette['navbar-link']!)}
      <path transform="translate(${margin} ${middle - iconSize / 2}) scale(${scale})"
        fill="${palette.tone}" fill-rule="evenodd" d="${iconPaths[stateStyles[kind].icon]}"/>
      ${lines.map(
        (line, index) => html`
        <text x="${margin + 170}" y="${firstBaseline + index * sentenceSize * 1.2}" font-size="${sentenceSize}"
          fill="${palette['panel-text']}">${line}</text>`,
      )}
      <text x="${margin}" y="${height - 60}" font-size="30" fill="${palette['panel-text']}" opacity=".7">${host}</text>
    </svg>`;
}

function renderName({ page, images }: PageView, logo: Buffer | null, colour: string): Markup | null {
  if (logo && images.logo) {
    const width = Math.min(720, (logoHeight * images.logo.width) / images.logo.height);
    const href = `data:image/png;base64,${logo.toString('base64')}`;
    const y = (headerHeight - logoHeight) / 2;
    return html`<image x="${margin}" y="${y}" width="${width}" height="${logoHeight}"
      preserveAspectRatio="xMinYMid" href="${href}"/>`;
  }
  if (!canDraw(page.name)) return null;
  const [name] = wrap(page.name, (socialImageSize.width - 2 * margin) / nameSize, 1);
  const baseline = headerHeight / 2 + nameSize * 0.35;
  return html`<text x="${margin}" y="${baseline}" font-size="${nameSize}" fill="${colour}">${name}</text>`;
}

/** The letters of the font are narrower than those of the estimate. */
const measure = (text: string) => 0.93 * estimateTextWidth(text);

/** Breaks a text into lines that are `maxWidth` times the font size wide at most, and cuts what is too long. */
function wrap(text: string, maxWidth: number, limit = maxLines): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(line) <= maxWidth) lines[lines.length - 1] = line;
    else lines.push(word);
  }
  const shown = lines.slice(0, limit).map(line => cut(line, maxWidth));
  return lines.length > limit ? [...shown.slice(0, -1), cut(`${shown.at(-1)} …`, maxWidth)] : shown;
}

function cut(line: string, maxWidth: number): string {
  let shown = line;
  while (measure(shown) > maxWidth) shown = `${shown.replace(/\s?…$/, '').slice(0, -1)}…`;
  return shown;
}
