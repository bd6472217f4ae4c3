import {
  type Colour,
  parseColour,
  ensureContrast,
  toHex,
  luminance,
  mix,
  mute,
  chooseReadable,
  chooseBlackOrWhite,
  textContrast,
  white,
} from '../../branding/contrast.js';
import type { MessageSnapshot } from '../message-snapshot.js';
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

/** Colours that brands do not define: those of maintenance and of the dark scheme. */
const planned = { light: parseColour('#2563c9'), dark: parseColour('#6aa5f7') };
const dark = { page: parseColour('#14181d'), header: parseColour('#191e24'), text: parseColour('#e6e9ed') };

/** Darkens a background until white text is readable on it, unless that would change it visibly. */
function darkenForWhiteText(background: Colour): Colour {
  const darker = ensureContrast(background, white, textContrast);
  return luminance(background) - luminance(darker) <= 0.05 ? darker : background;
}

/** The colours of the brand, each changed only as far as its contrast with its background requires. */
export function computeMailColours(
  { page: { brand } }: MessageSnapshot,
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
  const button = darkenForWhiteText(parseColour(brand.colorNavbarButtonBackground, page));
  const toneColours = {
    ok: parseColour(brand.colorStateOk, page),
    warning: parseColour(brand.colorStateWarning, page),
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
    button: luminance(button) === luminance(page) ? chooseBlackOrWhite(page) : button,
    buttonText: white,
    // The contrast of text, since the state is a text in this colour.
    state: ensureContrast(toneColours[tone], page, textContrast),
  };
  colours.buttonText = chooseReadable(colours.button, white);
  return Object.fromEntries(
    Object.entries(colours).map(([name, colour]) => [name, toHex(colour)]),
  ) as unknown as MailColours;
}
