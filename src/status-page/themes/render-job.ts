import type { Locale } from '../../i18n/locales.js';

export const templateNames = ['status-page', 'error-page', 'maintenance-page'] as const;
export type TemplateName = (typeof templateNames)[number];

/** The files of a theme that are rendered. Other assets are served unchanged. */
export interface ThemeSource {
  templates: ReadonlyMap<string, string>;
  locales: ReadonlyMap<string, unknown>;
  /** Style sheets, and SVG files that are templates, by path: `assets/style.css`. */
  assets: ReadonlyMap<string, string>;
}

/** What to render with a theme. Plain data, since it is sent to another process. */
export interface RenderJob {
  /** By their names in templates, without `template`. HTML is `{ $html }`. */
  variables: Record<string, unknown>;
  locale: Locale;
  zone: string;
  /** ISO 8601. */
  now: string;
  /**
   * `path`: where assets are served, such as `/status/ab12cd34/theme/`. `origin` makes their URLs absolute in
   * `error-page` and `maintenance-page`, which are shown on other hosts.
   */
  assets: { path: string; origin: string; hashes: ReadonlyMap<string, string> };
}

export interface RenderResult {
  templates: Map<TemplateName, string>;
  /** By name: `style.css`. */
  assets: Map<string, string>;
  /** One hash for all rendered assets, since they refer to each other. */
  assetHash: string;
}

/** Why a theme cannot be rendered. The message is for its author. */
export class ThemeFailure extends Error {
  override name = 'ThemeFailure';

  constructor(
    message: string,
    /** The process got less than half of its time: the machine was busy with something else. */
    readonly wasStarved = false,
  ) {
    super(message);
  }
}

/** Limits for all templates and assets of a theme together. They are part of the messages to authors. */
export const renderTimeLimitMs = 500;
export const renderMemoryLimitMb = 64;
/** The process is killed a little earlier, since killing takes time too. */
export const killAfterMs = renderTimeLimitMs - 50;
