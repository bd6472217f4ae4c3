type Channels = [red: number, green: number, blue: number];

/** A colour of CSS as the screen shows it on an opaque background; null if it is none. */
export function toChannels(text: string, background: Channels = [255, 255, 255]): Channels | null {
  if (!CSS.supports('color', text)) return null;
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.fillStyle = `rgb(${background.join(' ')})`;
  context.fillRect(0, 0, 1, 1);
  context.fillStyle = text;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** As `<input type="color">` has it: it knows no transparency. */
export const toHex = (channels: Channels): string =>
  `#${channels.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;

const toLinear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Channels): number =>
  0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);

/** The contrast ratio of WCAG 2, from 1 to 21; null if one of them is not a colour. */
export function findContrast(foreground: string, background: string): number | null {
  const behind = toChannels(background);
  const before = behind && toChannels(foreground, behind);
  if (!before) return null;
  const [darker, lighter] = [luminance(before), luminance(behind)].sort((one, other) => one - other) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}
