import {
  type Colour,
  colourOf,
  distinct,
  hexOf,
  luminance,
  mixed,
  quieter,
  readable,
  strongest,
  textContrast,
  white,
} from '../../branding/contrast.js';
import type { PublicationPicture } from '../message-snapshot.js';
import type { MessageContent } from './content.js';

export interface MailColours {
  page: string;
  text: string;
  quiet: string;
  line: string;
  link: string;
  header: string;
  headerText: string;
  button: string;
  buttonText: string;
  sign: string;
}

/** Where a brand has no colour for something, and for the night, which brands do not know of. */
const plan = { day: colourOf('#2563c9'), night: colourOf('#6aa5f7') };
const night = { page: colourOf('#14181d'), header: colourOf('#191e24'), text: colourOf('#e6e9ed') };

/** Hardly darker, where white can be read on it then. */
function forWhite(background: Colour): Colour {
  const darker = distinct(background, white, textContrast);
  return luminance(background) - luminance(darker) <= 0.05 ? darker : background;
}

/** The colours of the brand, each moved as far as it must be to be read on what it stands on. */
export function mailColours(
  { page: { brand } }: PublicationPicture,
  tone: MessageContent['tone'],
  scheme: 'day' | 'night',
): MailColours {
  const isNight = scheme === 'night';
  const ground = (given: Colour, dark: Colour) => (isNight && luminance(given) > 0.1 ? dark : given);
  const page = ground(colourOf(brand.colorBodyBackground), night.page);
  const header = ground(colourOf(brand.colorHeaderBackground, page), night.header);
  const textOn = (background: Colour, writing: string) =>
    readable(background, colourOf(writing, background), ...(isNight ? [night.text] : []));
  const text = textOn(page, brand.colorBodyText);
  const button = forWhite(colourOf(brand.colorNavbarButtonBackground, page));
  const signs = {
    ok: colourOf(brand.colorStateOk, page),
    warning: colourOf(brand.colorStateWarning, page),
    plan: luminance(page) > 0.18 ? plan.day : plan.night,
  };
  const colours: Record<keyof MailColours, Colour> = {
    page,
    text,
    quiet: quieter(text, page, 0.7),
    line: mixed(text, page, 0.16),
    link: distinct(colourOf(brand.colorBodyLinks, page), page, textContrast),
    header,
    headerText: textOn(header, brand.colorHeaderText),
    button: luminance(button) === luminance(page) ? strongest(page) : button,
    buttonText: white,
    // It is written in, not only shown.
    sign: distinct(signs[tone], page, textContrast),
  };
  colours.buttonText = readable(colours.button, white);
  return Object.fromEntries(
    Object.entries(colours).map(([name, colour]) => [name, hexOf(colour)]),
  ) as unknown as MailColours;
}
