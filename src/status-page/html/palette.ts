import { hasLightLogoOnly } from '../../branding/brand-image.js';
import {
  type Colour,
  parseColour,
  contrastRatio,
  createButtonColours,
  ensureContrast,
  toHex,
  luminance,
  mix,
  mute,
  chooseReadable,
  graphicContrast,
  chooseBlackOrWhite,
  textContrast,
} from '../../branding/contrast.js';
import type { Banner } from '../view/banner.js';
import type { PageView } from '../view/view.js';

export type ColourScheme = 'light' | 'dark';
type Tone = 'ok' | 'warn' | 'down' | 'plan';

/** Defaults where a brand has no colour, and for the dark scheme, which brands do not define. */
const defaults = {
  maintenance: parseColour('#2563c9'),
  maintenanceDark: parseColour('#6aa5f7'),
  outage: parseColour('#dc2626'),
  dark: parseColour('#14181d'),
  darkHeader: parseColour('#191e24'),
  darkText: parseColour('#e6e9ed'),
};

const toneOf: Record<Banner['kind'], Tone> = {
  operational: 'ok',
  maintenance: 'plan',
  degraded: 'warn',
  'partial-outage': 'down',
  'major-outage': 'down',
};
export const bannerKinds = Object.keys(toneOf) as Banner['kind'][];

/**
 * Turns the eleven colours of a brand into the custom properties of the style sheet. The light scheme uses them as
 * given; text without enough contrast becomes black or white. The dark scheme replaces light backgrounds, and keeps the
 * hue of other colours as far as their contrast allows. The navbar stays as it is behind a logo that was made for it.
 */
export function createPalette(
  { brand, banner, images }: Pick<PageView, 'brand' | 'images'> & { banner: Pick<Banner, 'kind'> },
  scheme: ColourScheme,
): Record<string, string> {
  const isDark = scheme === 'dark';
  const toBackground = (given: Colour, dark: Colour) => (isDark && luminance(given) > 0.1 ? dark : given);
  const preferredText = isDark ? [defaults.darkText] : [];
  /** Links keep their hue in the dark scheme. */
  const linkOn = (background: Colour, value: string) => {
    const given = parseColour(value, background);
    return isDark ? ensureContrast(given, background, textContrast) : chooseReadable(background, given);
  };
  const textOn = (background: Colour, value: string) =>
    chooseReadable(background, parseColour(value, background), ...preferredText);

  const page = toBackground(parseColour(brand.colorBodyBackground), defaults.dark);
  const text = textOn(page, brand.colorBodyText);
  const plan = luminance(page) > 0.18 ? defaults.maintenance : defaults.maintenanceDark;
  const lightHeader = parseColour(brand.colorHeaderBackground, parseColour(brand.colorBodyBackground));
  const header = toBackground(lightHeader, defaults.darkHeader);
  const navbar =
    isDark && !hasLightLogoOnly(images)
      ? toBackground(parseColour(brand.colorNavbarBackground, header), header)
      : parseColour(brand.colorNavbarBackground, lightHeader);
  const { background: button, text: buttonText } = createButtonColours(
    parseColour(brand.colorNavbarButtonBackground, navbar),
  );
  const warning = parseColour(brand.colorStateWarning, page);
  const stateColours: Record<Tone, Colour> = {
    ok: ensureContrast(parseColour(brand.colorStateOk, page), page, graphicContrast),
    warn: ensureContrast(warning, page, graphicContrast),
    down: ensureContrast(defaults.outage, page, graphicContrast),
    plan: ensureContrast(plan, page, graphicContrast),
  };
  const tone = stateColours[toneOf[banner.kind]];
  const panel = mix(tone, page, isDark ? 0.14 : 0.09);

  const colours: Record<string, Colour> = {
    page,
    text,
    quiet: mute(text, page, 0.66),
    line: mix(text, page, 0.13),
    link: linkOn(page, brand.colorBodyLinks),
    ...stateColours,
    // Distinguished from `warn` by shape, not by colour.
    part: stateColours.warn,
    none: mix(text, page, 0.3),
    track: mix(text, page, 0.1),
    tone,
    panel,
    'panel-text': chooseReadable(panel, text),
    header,
    'header-text': textOn(header, brand.colorHeaderText),
    'header-link': linkOn(header, brand.colorHeaderLinks),
    'header-line': mix(chooseBlackOrWhite(header), header, 0.1),
    navbar,
    'navbar-link': textOn(navbar, brand.colorNavbarLinks),
    button,
    // A button in the colour of the navbar gets a border.
    'button-line': contrastRatio(button, navbar) >= 1.5 ? button : mix(chooseBlackOrWhite(navbar), navbar, 0.4),
    'button-text': buttonText,
  };
  return Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, toHex(colour)]));
}

/** The `color-scheme` of the browser's own widgets (fields, scroll bars). */
export function getColourScheme(palette: Record<string, string>): ColourScheme {
  return luminance(parseColour(palette.page!)) > 0.18 ? 'light' : 'dark';
}
