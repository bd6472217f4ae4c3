import {
  type Colour,
  parseColour,
  createButtonColours,
  ensureContrast,
  toHex,
  luminance,
  mix,
  mute,
  chooseReadable,
  chooseBlackOrWhite,
  textContrast,
} from '../../branding/contrast.js';
import type { ColourName } from '../../branding/colour.js';
import type { MessageContent } from './content.js';

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

/** Colours that brands do not define: those of outages, of maintenance and of the dark scheme. */
const outage = parseColour('#dc2626');
const planned = { light: parseColour('#2563c9'), dark: parseColour('#6aa5f7') };
const dark = { page: parseColour('#14181d'), header: parseColour('#191e24'), text: parseColour('#e6e9ed') };

export type MailColourSchemes = Record<'light' | 'dark', MailColours>;

export const createMailColourSchemes = (
  brand: Record<ColourName, string>,
  tone: MessageContent['tone'],
): MailColourSchemes => ({
  light: computeMailColours(brand, tone, 'light'),
  dark: computeMailColours(brand, tone, 'dark'),
});

/** The colours of the brand, each changed only as far as its contrast with its background requires. */
export function computeMailColours(
  brand: Record<ColourName, string>,
  tone: MessageContent['tone'],
  scheme: 'light' | 'dark',
): MailColours {
  const isDark = scheme === 'dark';
  const chooseBackground = (brandColour: Colour, darkColour: Colour) =>
    isDark && luminance(brandColour) > 0.1 ? darkColour : brandColour;
  const page = chooseBackground(parseColour(brand.colorBodyBackground), dark.page);
  const header = chooseBackground(parseColour(brand.colorHeaderBackground, page), dark.header);
  const chooseText = (background: Colour, brandColour: string) =>
    chooseReadable(background, parseColour(brandColour, background), ...(isDark ? [dark.text] : []));
  const text = chooseText(page, brand.colorBodyText);
  const brandButton = parseColour(brand.colorNavbarButtonBackground, page);
  // A button in the colour of the page would not be seen.
  const button = createButtonColours(
    luminance(brandButton) === luminance(page) ? chooseBlackOrWhite(page) : brandButton,
  );
  const toneColours = {
    ok: parseColour(brand.colorStateOk, page),
    warning: parseColour(brand.colorStateWarning, page),
    down: outage,
    plan: luminance(page) > 0.18 ? planned.light : planned.dark,
  };
  const colours: Record<keyof MailColours, Colour> = {
    page,
    text,
    muted: mute(text, page, 0.7),
    border: mix(text, page, 0.16),
    link: ensureContrast(parseColour(brand.colorBodyLinks, page), page, textContrast),
    header,
    headerText: chooseText(header, brand.colorHeaderText),
    button: button.background,
    buttonText: button.text,
    // The contrast of text, since the state is a text in this colour.
    state: ensureContrast(toneColours[tone], page, textContrast),
  };
  return Object.fromEntries(
    Object.entries(colours).map(([name, colour]) => [name, toHex(colour)]),
  ) as unknown as MailColours;
}
