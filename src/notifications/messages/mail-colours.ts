import {
  type Colour,
  parseColour,
  createButtonColours,
  ensureContrast,
  toHex,
  luminance,
  mix,
  mute,
  chooseBlackOrWhite,
  textContrast,
} from '../../pages/branding/contrast.js';
import type { ColourName } from '../../pages/branding/colour.js';
import { type ColourScheme, createBrandScheme } from '../../pages/branding/scheme.js';
import { type Tone } from '../../pages/branding/state-styles.js';

export interface MailColours {
  page: string;
  text: string;
  muted: string;
  border: string;
  link: string;
  header: string;
  headerText: string;
  button: string;
  buttonText: string;
  state: string;
}

/** The tone of a state that is written in words. */
export type MailTone = Exclude<Tone, 'none'>;

export type MailColourSchemes = Record<ColourScheme, MailColours>;

export const createMailColourSchemes = (brand: Record<ColourName, string>, tone: MailTone): MailColourSchemes => ({
  light: computeMailColours(brand, tone, 'light'),
  dark: computeMailColours(brand, tone, 'dark'),
});

/** The colours of the brand, each changed only as far as its contrast with its background requires. */
export function computeMailColours(
  brand: Record<ColourName, string>,
  tone: MailTone,
  scheme: ColourScheme,
): MailColours {
  const { page, text, header, headerText, tones } = createBrandScheme(brand, scheme);
  const brandButton = parseColour(brand.colorNavbarButtonBackground, page);
  // A button in the colour of the page would not be seen.
  const button = createButtonColours(
    luminance(brandButton) === luminance(page) ? chooseBlackOrWhite(page) : brandButton,
  );
  const colours: Record<keyof MailColours, Colour> = {
    page,
    text,
    muted: mute(text, page, 0.7),
    border: mix(text, page, 0.16),
    link: ensureContrast(parseColour(brand.colorBodyLinks, page), page, textContrast),
    header,
    headerText,
    button: button.background,
    buttonText: button.text,
    // The contrast of text, since the state is a text in this colour.
    state: ensureContrast(tones[tone], page, textContrast),
  };
  return Object.fromEntries(
    Object.entries(colours).map(([name, colour]) => [name, toHex(colour)]),
  ) as unknown as MailColours;
}
