import type { PageView } from '../view/view.js';
import { paletteOf, schemeOf } from './palette.js';
import { frame } from './style-layout.js';
import { sections } from './style-sections.js';

/** The one style sheet of a document: its colours, and rules that are the same for every page; `more` are those of documents of one kind. */
export function styleOf(view: PageView, more = ''): string {
  const [light, dark] = [paletteOf(view, 'light'), paletteOf(view, 'dark')];
  // On paper it is always day.
  return `:root{${variables(light)}}@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}${rules}${more}`;
}

function variables(palette: Record<string, string>): string {
  const colours = Object.entries(palette).map(([name, colour]) => `--${name}:${colour}`);
  return `color-scheme:${schemeOf(palette)};${colours.join(';')}`;
}

const rules = compact(frame + sections);

/** Blanks that mean nothing go. One before a colon may be the step to a descendant. */
export function compact(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();
}
