/** Contrast by the rules of WCAG 2. Channels go from 0 to 255, alpha from 0 to 1. */
export interface Colour {
  red: number;
  green: number;
  blue: number;
}

export const black: Colour = { red: 0, green: 0, blue: 0 };
export const white: Colour = { red: 255, green: 255, blue: 255 };

/** The minimum contrast ratios of WCAG 2: for text (1.4.3) and for icons and other graphics (1.4.11). */
export const textContrast = 4.5;
export const graphicContrast = 3;

/** Parses a colour that `isColour` accepted, and blends a translucent one with its background. */
export function parseColour(text: string, background: Colour = white): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = text.startsWith('#')
    ? hexChannels(text.slice(1))
    : callChannels(text);
  return round(mix({ red, green, blue }, background, alpha));
}

function hexChannels(digits: string): number[] {
  const whole = digits.length < 6 ? [...digits].map(digit => digit + digit) : digits.match(/../g)!;
  return whole.map((pair, index) => Number.parseInt(pair, 16) / (index === 3 ? 255 : 1));
}

function callChannels(text: string): number[] {
  const parts = text.slice(text.indexOf('(') + 1, -1).split(',');
  return parts.map((part, index) => {
    const number = Number.parseFloat(part);
    if (!part.includes('%')) return number;
    return (number / 100) * (index === 3 ? 1 : 255);
  });
}

/** `share` of the first colour, the rest of the second. */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const mixChannel = (channel: keyof Colour) => one[channel] * share + other[channel] * (1 - share);
  return { red: mixChannel('red'), green: mixChannel('green'), blue: mixChannel('blue') };
}

export function contrastRatio(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

export function luminance({ red, green, blue }: Colour): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/**
 * Returns the first of the wanted colours that is readable on the background, or else black or white: one of them
 * always is. A colour that needs only an imperceptible correction is corrected.
 */
export function chooseReadable(background: Colour, ...wanted: Colour[]): Colour {
  for (const colour of wanted) {
    const adjusted = ensureContrast(colour, background, textContrast);
    if (luminanceDifference(adjusted, colour) <= imperceptibleDifference) return adjusted;
  }
  return chooseBlackOrWhite(background);
}

const imperceptibleDifference = 0.04;
const luminanceDifference = (one: Colour, other: Colour) => Math.abs(luminance(one) - luminance(other));

export function chooseBlackOrWhite(background: Colour): Colour {
  return contrastRatio(black, background) >= contrastRatio(white, background) ? black : white;
}

/** White text, on a background as dark as that requires. A light background would change too much: black text. */
export function createButtonColours(background: Colour): { background: Colour; text: Colour } {
  if (luminance(background) > 0.45) return { background, text: black };
  return { background: ensureContrast(background, white, textContrast), text: white };
}

/** Returns the colour, shifted towards black or white only as far as the contrast ratio requires. */
export function ensureContrast(colour: Colour, background: Colour, ratio: number): Colour {
  const limit = chooseBlackOrWhite(background);
  for (let share = 1; share > 0; share -= 0.02) {
    const candidate = round(mix(colour, limit, share));
    if (contrastRatio(candidate, background) >= ratio) return candidate;
  }
  return limit;
}

/** Blends the foreground with the background, as far as it stays readable. */
export function mute(foreground: Colour, background: Colour, share: number): Colour {
  for (let part = share; part < 1; part += 0.02) {
    const candidate = round(mix(foreground, background, part));
    if (contrastRatio(candidate, background) >= textContrast) return candidate;
  }
  return foreground;
}

export function toHex(colour: Colour): string {
  const { red, green, blue } = round(colour);
  return `#${[red, green, blue].map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Screens show integer channels: contrast is measured on what is shown. */
function round({ red, green, blue }: Colour): Colour {
  return { red: Math.round(red), green: Math.round(green), blue: Math.round(blue) };
}
