import type { ColourName } from './colour.js';
import { chooseReadable, type Colour, luminance, parseColour } from './contrast.js';
import type { Tone } from './state-styles.js';

export type ColourScheme = 'light' | 'dark';

/** The colours that brands do not define: those of outages, of maintenance and of the dark scheme. */
const outageColour = '#dc2626';
const maintenanceColours = { light: '#2563c9', dark: '#6aa5f7' };
export const darkColours = { page: '#14181d', header: '#191e24', text: '#e6e9ed' };

/** The colours of a brand in the light or the dark scheme that pages and messages share. */
interface BrandScheme {
  page: Colour;
  text: Colour;
  header: Colour;
  headerText: Colour;
  /** Without the contrast that an icon or a text requires. */
  tones: Record<Exclude<Tone, 'none'>, Colour>;
}

/** The background of a scheme: the dark one replaces light backgrounds. */
export const chooseBackground = (scheme: ColourScheme, brandColour: Colour, darkColour: Colour): Colour =>
  scheme === 'dark' && luminance(brandColour) > 0.1 ? darkColour : brandColour;

/** A text of a scheme: one without enough contrast becomes that of the dark scheme, black or white. */
export const chooseTextColour = (scheme: ColourScheme, background: Colour, brandColour: string): Colour =>
  chooseReadable(
    background,
    parseColour(brandColour, background),
    ...(scheme === 'dark' ? [parseColour(darkColours.text)] : []),
  );

/** `light` or `dark`, for what has one colour for each: maintenance, and the browser's own fields and scroll bars. */
export const getBackgroundScheme = (background: Colour): ColourScheme =>
  luminance(background) > 0.18 ? 'light' : 'dark';

/** The header of a brand over its page, before the dark scheme replaces it. */
export const getBrandHeader = (brand: Record<ColourName, string>): Colour =>
  parseColour(brand.colorHeaderBackground, parseColour(brand.colorBodyBackground));

export function createBrandScheme(brand: Record<ColourName, string>, scheme: ColourScheme): BrandScheme {
  const page = chooseBackground(scheme, parseColour(brand.colorBodyBackground), parseColour(darkColours.page));
  const header = chooseBackground(scheme, getBrandHeader(brand), parseColour(darkColours.header));
  const warn = parseColour(brand.colorStateWarning, page);
  return {
    page,
    text: chooseTextColour(scheme, page, brand.colorBodyText),
    header,
    headerText: chooseTextColour(scheme, header, brand.colorHeaderText),
    tones: {
      ok: parseColour(brand.colorStateOk, page),
      warn,
      down: parseColour(outageColour),
      plan: parseColour(maintenanceColours[getBackgroundScheme(page)]),
      part: warn,
    },
  };
}
