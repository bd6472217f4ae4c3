import type { Locale } from '../../i18n/locales.js';
import type { TemplateName } from '../routing/public-route.js';

export const templateNames: readonly TemplateName[] = ['status-page', 'error-page', 'maintenance-page'];

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
    /** The process was killed since it exceeded its time or memory. */
    readonly isOverLimit = false,
  ) {
    super(message);
  }
}

/** The machine is too busy to render in time. That is not the fault of the theme. */
export class RendererBusy extends Error {
  override name = 'RendererBusy';
}

/** Limits for all templates and assets of a theme together. They are part of the messages to authors. */
export const renderTimeLimitMs = 1_000;
export const renderMemoryLimitMb = 64;
/** How long a rendering waits for its turn, and how long a process may take to start. */
export const renderTimeoutMs = 5_000;
