import type { Locale } from '../../i18n/locales.js';

export const templateNames = ['status-page', 'error-page', 'maintenance-page'] as const;
export type TemplateName = (typeof templateNames)[number];

/** What a theme consists of, as far as it is drawn: other pictures and fonts are served as they came. */
export interface ThemeSource {
  templates: ReadonlyMap<string, string>;
  locales: ReadonlyMap<string, unknown>;
  /** The style sheets, and pictures that are templates too, by path: `assets/style.css`. */
  assets: ReadonlyMap<string, string>;
}

/** What is to be drawn with a theme. Plain data: it goes from one process to another. */
export interface Commission {
  /** By the names that templates know, but for `template`. HTML is `{ markup }`. */
  variables: Record<string, unknown>;
  locale: Locale;
  zone: string;
  /** ISO 8601. */
  now: string;
  /** Where assets are served: `/status/ab12cd34/theme/`; and the origin, for the pages that are shown elsewhere while the site is down. */
  assets: { path: string; origin: string; hashes: ReadonlyMap<string, string> };
}

export interface Drawn {
  templates: Map<TemplateName, string>;
  /** By name: `style.css`. */
  assets: Map<string, string>;
  /** The same for all assets that are drawn, since they name each other. */
  assetHash: string;
}

/** Why a theme cannot be drawn, for its author. */
export class ThemeFailure extends Error {
  override name = 'ThemeFailure';

  constructor(
    message: string,
    /** The time was over before the drawing had much of it: the machine was busy with something else. */
    readonly wasHeldUp = false,
  ) {
    super(message);
  }
}

/** What a drawing may take, all its templates and assets together, as its author is told: milliseconds and MB. */
export const drawingTime = 500;
export const drawingMemory = 64;
/** After so many milliseconds a drawing is ended: to end it takes time too. */
export const timeToEnd = drawingTime - 50;
