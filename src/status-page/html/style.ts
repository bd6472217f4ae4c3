import type { PageView } from '../view/view.js';
import { createPalette, getColourScheme } from './palette.js';
import { layoutStyle } from './style-layout.js';
import { sectionStyle } from './style-sections.js';

/** The inline style sheet of a document: the colours of the page, the common rules, and additional rules. */
export const buildStylesheet = (view: PageView, additionalRules = ''): string =>
  `${getColours(view)}${rules}${additionalRules}`;

/** By the brand of a snapshot, and the state in the banner: all documents of a revision have the same colours. */
const colours = new WeakMap<PageView['brand'], Map<PageView['banner']['kind'], string>>();

function getColours(view: PageView): string {
  const byState = colours.get(view.brand) ?? new Map<PageView['banner']['kind'], string>();
  const built = byState.get(view.banner.kind) ?? buildColours(view);
  colours.set(view.brand, byState.set(view.banner.kind, built));
  return built;
}

function buildColours(view: PageView): string {
  const [light, dark] = [createPalette(view, 'light'), createPalette(view, 'dark')];
  // Print always uses the light scheme.
  const darkRules = `@media screen and (prefers-color-scheme:dark){:root{${customProperties(dark)}}}`;
  return `:root{${customProperties(light)}}${darkRules}`;
}

function customProperties(palette: Record<string, string>): string {
  const colours = Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`);
  return `color-scheme:${getColourScheme(palette)};${colours.join(';')}`;
}

const rules = minifyCss(layoutStyle + sectionStyle);

/** Removes insignificant white space. A space before a colon stays: it may be a descendant combinator. */
export function minifyCss(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();
}
