import {
  type Colour,
  colourOf,
  contrastOf,
  distinct,
  hexOf,
  luminance,
  mixed,
  quieter,
  readable,
  signContrast,
  strongest,
  textContrast,
  white,
} from '../../branding/contrast.js';
import type { Banner } from '../view/banner.js';
import type { PageView } from '../view/view.js';

export type Scheme = 'light' | 'dark';
type Tone = 'ok' | 'warn' | 'plan';

/** Where a brand has no colour for something, and for the night, which brands do not know of. */
const own = {
  maintenance: colourOf('#2563c9'),
  maintenanceByNight: colourOf('#6aa5f7'),
  night: colourOf('#14181d'),
  nightHeader: colourOf('#191e24'),
  nightText: colourOf('#e6e9ed'),
};

const toneOf: Record<Banner['kind'], Tone> = { operational: 'ok', maintenance: 'plan', degraded: 'warn' };

/**
 * The eleven colours of a brand as the custom properties of the style sheet. By day they are as the operator gave them; text that could not be read on
 * them is black or white. By night a light background gives way to a dark one, and a colour keeps its hue as far as it can be told apart there.
 */
export function paletteOf(
  { brand, banner }: Pick<PageView, 'brand' | 'banner'>,
  scheme: Scheme,
): Record<string, string> {
  const isDark = scheme === 'dark';
  const ground = (given: Colour, night: Colour) => (isDark && luminance(given) > 0.1 ? night : given);
  const softly = isDark ? [own.nightText] : [];
  /** Links keep their hue by night. */
  const linkOn = (background: Colour, writing: string) => {
    const given = colourOf(writing, background);
    return isDark ? distinct(given, background, textContrast) : readable(background, given);
  };
  const textOn = (background: Colour, writing: string) =>
    readable(background, colourOf(writing, background), ...softly);

  const page = ground(colourOf(brand.colorBodyBackground), own.night);
  const text = textOn(page, brand.colorBodyText);
  const plan = luminance(page) > 0.18 ? own.maintenance : own.maintenanceByNight;
  const header = ground(colourOf(brand.colorHeaderBackground, colourOf(brand.colorBodyBackground)), own.nightHeader);
  const navbar = isDark
    ? ground(colourOf(brand.colorNavbarBackground, header), header)
    : colourOf(brand.colorNavbarBackground, header);
  const button = colourOf(brand.colorNavbarButtonBackground, navbar);
  const warning = colourOf(brand.colorStateWarning, page);
  const signs: Record<Tone, Colour> = {
    ok: distinct(colourOf(brand.colorStateOk, page), page, signContrast),
    warn: distinct(warning, page, signContrast),
    plan: distinct(plan, page, signContrast),
  };
  const tone = signs[toneOf[banner.kind]];
  const panel = mixed(tone, page, isDark ? 0.14 : 0.09);

  const colours: Record<string, Colour> = {
    page,
    text,
    quiet: quieter(text, page, 0.66),
    line: mixed(text, page, 0.13),
    link: linkOn(page, brand.colorBodyLinks),
    ...signs,
    part: distinct(mixed(warning, page, 0.72), page, signContrast),
    none: mixed(text, page, 0.3),
    tone,
    panel,
    'panel-text': readable(panel, text),
    header,
    'header-text': textOn(header, brand.colorHeaderText),
    'header-link': linkOn(header, brand.colorHeaderLinks),
    'header-line': mixed(strongest(header), header, 0.1),
    navbar,
    'navbar-link': textOn(navbar, brand.colorNavbarLinks),
    button,
    // A button without a face of its own has a border at least.
    'button-line': contrastOf(button, navbar) >= 1.5 ? button : mixed(strongest(navbar), navbar, 0.4),
    'button-text': readable(button, white),
  };
  return Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, hexOf(colour)]));
}

/** Whether the browser's own things (fields, scroll bars) are drawn light or dark. */
export function schemeOf(palette: Record<string, string>): Scheme {
  return luminance(colourOf(palette.page!)) > 0.18 ? 'light' : 'dark';
}
