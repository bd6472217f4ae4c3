export type ColourName =
  | 'colorStateOk'
  | 'colorStateWarning'
  | 'colorNavbarBackground'
  | 'colorNavbarLinks'
  | 'colorNavbarButtonBackground'
  | 'colorHeaderBackground'
  | 'colorHeaderLinks'
  | 'colorHeaderText'
  | 'colorBodyBackground'
  | 'colorBodyLinks'
  | 'colorBodyText';

/** The colours of a page without a brand of its own. Existing themes rely on them. */
export const defaultColours: Record<ColourName, string> = {
  colorStateOk: '#27ae60',
  colorStateWarning: '#e67e22',
  colorNavbarBackground: 'rgba(0,0,0,0.01)',
  colorNavbarLinks: '#2c3e50',
  colorNavbarButtonBackground: '#2980b9',
  colorHeaderBackground: '#F7F8F9',
  colorHeaderLinks: '#2980b9',
  colorHeaderText: '#2c3e50',
  colorBodyBackground: '#FFFFFF',
  colorBodyLinks: '#2980b9',
  colorBodyText: '#2c3e50',
};

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const call = /^(rgba?)\(([^()]*)\)$/i;
const integer = /^\d{1,3}$/;
const percentage = /^(?:\d{1,3}|\d{0,3}\.\d{1,20})%$/;
const fraction = /^(?:\d|\d?\.\d{1,20})$/;

/** "a string holding a HEX or RGBa colour". It is printed into a style sheet, so nothing else may pass. */
export function isColour(value: string): boolean {
  if (hex.test(value)) return true;
  const [, name, list = ''] = call.exec(value) ?? [];
  if (!name) return false;
  const parts = list.split(',').map(part => part.replace(/^[ \t]+/, '').trimEnd());
  const [alpha, count] = name.toLowerCase() === 'rgba' ? [parts.at(-1) ?? '', 4] : ['1', 3];
  return parts.length === count && areChannels(parts.slice(0, 3)) && isAlpha(alpha);
}

/** CSS accepts three integers or three percentages, and ignores a mixture. */
function areChannels(parts: string[]): boolean {
  return parts.every(part => integer.test(part) && Number(part) <= 255) || parts.every(isPercentage);
}

function isAlpha(part: string): boolean {
  return isPercentage(part) || (fraction.test(part) && Number(part) <= 1);
}

function isPercentage(part: string): boolean {
  return percentage.test(part) && Number(part.slice(0, -1)) <= 100;
}
