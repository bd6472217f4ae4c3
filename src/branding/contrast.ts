/** How well colours are told apart, by the rules of WCAG 2. Channels go from 0 to 255, alpha from 0 to 1. */
export interface Colour {
  red: number;
  green: number;
  blue: number;
}

export const black: Colour = { red: 0, green: 0, blue: 0 };
export const white: Colour = { red: 255, green: 255, blue: 255 };

/** What text needs, and what a sign needs. */
export const textContrast = 4.5;
export const signContrast = 3;

/** A colour of a brand, as it looks on a background: what shines through is resolved. The writing was checked by `isColour`. */
export function colourOf(writing: string, background: Colour = white): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = writing.startsWith('#')
    ? hexChannels(writing.slice(1))
    : callChannels(writing);
  return rounded(mixed({ red, green, blue }, background, alpha));
}

function hexChannels(digits: string): number[] {
  const whole = digits.length < 6 ? [...digits].map(digit => digit + digit) : digits.match(/../g)!;
  return whole.map((pair, index) => Number.parseInt(pair, 16) / (index === 3 ? 255 : 1));
}

function callChannels(writing: string): number[] {
  const parts = writing.slice(writing.indexOf('(') + 1, -1).split(',');
  return parts.map((part, index) => {
    const number = Number.parseFloat(part);
    if (!part.includes('%')) return number;
    return (number / 100) * (index === 3 ? 1 : 255);
  });
}

/** That share of the first, the rest of the second. */
export function mixed(one: Colour, other: Colour, share: number): Colour {
  const mix = (channel: keyof Colour) => one[channel] * share + other[channel] * (1 - share);
  return { red: mix('red'), green: mix('green'), blue: mix('blue') };
}

export function contrastOf(one: Colour, other: Colour): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

export function luminance({ red, green, blue }: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/**
 * The first of the wanted colours that can be read on the background, else black or white: one of them always can. One that is short of it by so
 * little that hardly an eye sees the difference is moved that little.
 */
export function readable(background: Colour, ...wanted: Colour[]): Colour {
  for (const colour of wanted) {
    const near = distinct(colour, background, textContrast);
    if (luminanceApart(near, colour) <= hardlySeen) return near;
  }
  return strongest(background);
}

const hardlySeen = 0.04;
const luminanceApart = (one: Colour, other: Colour) => Math.abs(luminance(one) - luminance(other));

export function strongest(background: Colour): Colour {
  return contrastOf(black, background) >= contrastOf(white, background) ? black : white;
}

/** The colour itself where it stands out enough; else moved towards black or white as far as needed, so that its hue stays as long as it can. */
export function distinct(colour: Colour, background: Colour, ratio: number): Colour {
  const end = strongest(background);
  for (let share = 1; share > 0; share -= 0.02) {
    const candidate = rounded(mixed(colour, end, share));
    if (contrastOf(candidate, background) >= ratio) return candidate;
  }
  return end;
}

/** The foreground made quieter, as far as it can still be read. */
export function quieter(foreground: Colour, background: Colour, share: number): Colour {
  for (let part = share; part < 1; part += 0.02) {
    const candidate = rounded(mixed(foreground, background, part));
    if (contrastOf(candidate, background) >= textContrast) return candidate;
  }
  return foreground;
}

export function hexOf(colour: Colour): string {
  const { red, green, blue } = rounded(colour);
  return `#${[red, green, blue].map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** A screen has whole steps: what is measured is what is shown. */
function rounded({ red, green, blue }: Colour): Colour {
  return { red: Math.round(red), green: Math.round(green), blue: Math.round(blue) };
}
