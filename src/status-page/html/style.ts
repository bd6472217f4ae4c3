import type { ColourScheme } from '../../pages/branding/scheme.js';
import { bannerKinds } from '../view/banner.js';
import type { PageView } from '../view/view.js';
import { popoverCount } from './day-popovers.js';
import { createPalette, getColourScheme } from './style/palette.js';
import { layoutStyle } from './style/layout.js';
import { sectionStyle } from './style/sections.js';

/** The inline style sheet of a document: the colours of the page, the common rules, and additional rules. */
export const buildStylesheet = (view: PageView, additionalRules = ''): string =>
  `${getColours(view)}${rules}${additionalRules}`;

type Branding = Pick<PageView, 'brand' | 'images'>;

/** By the brand of a snapshot: all documents of a generation have the same colours. */
const colours = new WeakMap<PageView['brand'], string>();

function getColours({ brand, images }: PageView): string {
  const built = colours.get(brand) ?? buildColours({ brand, images });
  colours.set(brand, built);
  return built;
}

/** The properties that differ by the state in the banner. */
const stateProperties = ['tone', 'panel', 'panel-text'];

/**
 * The colours of a scheme, with those of each state. The style sheet is the same in all states, because a page that
 * updates itself keeps its own: the policy allows no other.
 */
function buildScheme(branding: Branding, scheme: ColourScheme): string {
  const palettes = bannerKinds.map(kind => [kind, createPalette({ ...branding, banner: { kind } }, scheme)] as const);
  const [[, common]] = palettes as [(typeof palettes)[number]];
  const root = `:root{${customProperties(common, name => !stateProperties.includes(name))}}`;
  const states = palettes.map(
    ([kind, palette]) => `[data-state=${kind}]{${customProperties(palette, name => stateProperties.includes(name))}}`,
  );
  return root + states.join('');
}

/** Print always uses the light scheme. */
const buildColours = (branding: Branding): string =>
  `${buildScheme(branding, 'light')}@media screen and (prefers-color-scheme:dark){${buildScheme(branding, 'dark')}}`;

function customProperties(palette: Record<string, string>, isIncluded: (name: string) => boolean): string {
  const included = Object.entries(palette).filter(([name]) => isIncluded(name));
  const properties = included.map(([name, colour]) => `--${name}:${colour}`);
  return `${isIncluded('page') ? `color-scheme:${getColourScheme(palette)};` : ''}${properties.join(';')}`;
}

/** The places of the buttons of a bar: the policy allows no `style` attribute. */
const buttonPlaces = Array.from({ length: popoverCount }, (_, index) => `.d${index}{--i:${index}}`).join('');

const rules = minifyCss(layoutStyle + sectionStyle) + buttonPlaces;

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
