import type { UpdateBrandInput } from '../api/documents.ts';

export type ColourName = keyof UpdateBrandInput;

export interface ColourSetting {
  name: ColourName;
  label: string;
  /** What it stands on: another colour of the brand, or text in white. */
  on?: ColourName | 'white';
  /** The contrast of WCAG 2: 4.5 for text, 3 for icons. */
  minimum?: number;
}

/** The colours in their groups, as the page uses them. `more`: those that are seldom different from the others. */
export const colourGroups: { title: string; colours: ColourSetting[]; more?: ColourSetting[] }[] = [
  {
    title: 'Content',
    colours: [
      { name: 'colorBodyBackground', label: 'Background' },
      { name: 'colorBodyText', label: 'Text', on: 'colorBodyBackground', minimum: 4.5 },
      { name: 'colorBodyLinks', label: 'Links', on: 'colorBodyBackground', minimum: 4.5 },
      { name: 'colorStateOk', label: 'Operational', on: 'colorBodyBackground', minimum: 3 },
      { name: 'colorStateWarning', label: 'Degraded', on: 'colorBodyBackground', minimum: 3 },
    ],
  },
  {
    title: 'Header',
    colours: [
      { name: 'colorHeaderBackground', label: 'Background of the header' },
      { name: 'colorHeaderText', label: 'Text of the header', on: 'colorHeaderBackground', minimum: 4.5 },
      { name: 'colorHeaderLinks', label: 'Links of the header', on: 'colorHeaderBackground', minimum: 4.5 },
      { name: 'colorNavbarButtonBackground', label: 'Buttons, with white text', on: 'white', minimum: 4.5 },
    ],
    more: [
      { name: 'colorNavbarBackground', label: 'Background of the bar' },
      { name: 'colorNavbarLinks', label: 'Links of the bar', on: 'colorHeaderBackground', minimum: 4.5 },
    ],
  },
];

const colours = colourGroups.flatMap(group => [...group.colours, ...(group.more ?? [])]);
export const colourNames = colours.map(({ name }) => name);
export const colourLabels: Record<string, string> = Object.fromEntries(colours.map(({ name, label }) => [name, label]));
