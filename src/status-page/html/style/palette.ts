import { hasLightLogoOnly } from '../../../pages/branding/brand-image.js';
import {
  type Colour,
  parseColour,
  contrastRatio,
  createButtonColours,
  ensureContrast,
  toHex,
  mix,
  mute,
  chooseReadable,
  graphicContrast,
  chooseBlackOrWhite,
  textContrast,
} from '../../../pages/branding/contrast.js';
import {
  chooseBackground,
  chooseTextColour,
  type ColourScheme,
  createBrandScheme,
  getBackgroundScheme,
  getBrandHeader,
} from '../../../pages/branding/scheme.js';
import { stateStyles } from '../../../pages/branding/state-styles.js';
import type { Banner } from '../../view/view.js';
import type { PageView } from '../../view/view.js';

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
  /** Links keep their hue in the dark scheme. */
  const linkOn = (background: Colour, value: string) => {
    const link = parseColour(value, background);
    return isDark ? ensureContrast(link, background, textContrast) : chooseReadable(background, link);
  };
  const { page, text, header, headerText, tones } = createBrandScheme(brand, scheme);
  const navbar =
    isDark && !hasLightLogoOnly(images)
      ? chooseBackground(scheme, parseColour(brand.colorNavbarBackground, header), header)
      : parseColour(brand.colorNavbarBackground, getBrandHeader(brand));
  const { background: button, text: buttonText } = createButtonColours(
    parseColour(brand.colorNavbarButtonBackground, navbar),
  );
  const tone = ensureContrast(tones[stateStyles[banner.kind].tone], page, graphicContrast);
  const panel = mix(tone, page, isDark ? 0.14 : 0.09);

  const colours: Record<string, Colour> = {
    page,
    text,
    quiet: mute(text, page, 0.66),
    line: mix(text, page, 0.13),
    link: linkOn(page, brand.colorBodyLinks),
    ...Object.fromEntries(
      Object.entries(tones).map(([name, colour]) => [name, ensureContrast(colour, page, graphicContrast)]),
    ),
    none: mix(text, page, 0.3),
    track: mix(text, page, 0.1),
    tone,
    panel,
    'panel-text': chooseReadable(panel, text),
    header,
    'header-text': headerText,
    'header-link': linkOn(header, brand.colorHeaderLinks),
    'header-line': mix(chooseBlackOrWhite(header), header, 0.1),
    navbar,
    'navbar-link': chooseTextColour(scheme, navbar, brand.colorNavbarLinks),
    button,
    // A button in the colour of the navbar gets a border.
    'button-line': contrastRatio(button, navbar) >= 1.5 ? button : mix(chooseBlackOrWhite(navbar), navbar, 0.4),
    'button-text': buttonText,
  };
  return Object.fromEntries(Object.entries(colours).map(([name, colour]) => [name, toHex(colour)]));
}

/** The `color-scheme` of the browser's own widgets (fields, scroll bars). */
export const getColourScheme = (palette: Record<string, string>): ColourScheme =>
  getBackgroundScheme(parseColour(palette.page!));
