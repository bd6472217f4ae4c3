import type { RenderedResponse } from './public-route.js';

export type TemplateName = 'status-page' | 'error-page' | 'maintenance-page';

/** A file of a theme, served at a URL that contains the hash of its content. */
export interface ThemeAsset extends RenderedResponse {
  body: Buffer;
  /** Relative to the mount of the page: `theme/3f2a9c01b7e4d586/logo.svg`. Not URL-encoded. */
  path: string;
}

/** The output of a theme for one state of a page. */
export interface RenderedTheme {
  /** Always contains `status-page`; the others only if the theme has them. */
  templates: Map<TemplateName, RenderedResponse>;
  assets: Map<string, ThemeAsset>;
}
