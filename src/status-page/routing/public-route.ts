import { setImmediate } from 'node:timers/promises';
import type { RequiredNotices } from '../view/load-notices.js';
import type { RequiredImage } from '../view/load-image.js';
import type { QueryParameters } from '../view/urls.js';
import type { PageView } from '../view/view.js';

/** The response to a request for one path of a page, before compression. */
export interface RenderedResponse {
  /** The content type, with its charset. */
  type: string;
  body: string | Buffer;
  /** 200 when absent. */
  status?: number;
  /** Headers added to those that every response has. A redirect is a status and a `Location`. */
  headers?: Record<string, string>;
}

export type TemplateName = 'status-page' | 'error-page' | 'maintenance-page';

/** A file of a theme, served at a URL that contains the hash of its content. */
export interface ThemeAsset extends Omit<RenderedResponse, 'body'> {
  /** Or what loads a static file, so that a page does not keep megabytes of fonts. Null: it is gone. */
  body: Buffer | (() => Promise<Buffer | null>);
  /** Relative to the mount of the page: `theme/3f2a9c01b7e4d586/logo.svg`. Not URL-encoded. */
  path: string;
}

/** The output of a theme for one state of a page. */
export interface RenderedTheme {
  /** Always contains `status-page`; the others only if the theme has them. */
  templates: Map<TemplateName, RenderedResponse>;
  assets: Map<string, ThemeAsset>;
}

/** Null: not found, 404. In parts where it takes so long that other requests have to be answered in between. */
export type Rendering = Result | Promise<Result> | Generator<void, Result>;
type Result = RenderedResponse | null;

/** Completes a rendering, and yields to the event loop before each of its parts. */
export async function completeRendering(rendering: Rendering): Promise<Result> {
  if (rendering === null || !('next' in rendering)) return rendering;
  for (;;) {
    await setImmediate();
    const part = rendering.next();
    if (part.done) return part.value;
  }
}

/** Decoded parameters of a request: the `:name` segments of the path, and the query parameters that the route lists. */
export interface RouteParameters extends QueryParameters {
  path: Record<string, string>;
}

/** One route of the public page. Rendering is pure: it depends on the view and the parameters only. */
export interface PublicRoute {
  /** Relative to the mount of the page: `feed.atom`, `notices/:notice`. '' is the front page. */
  path: string;
  /** Other paths with the same response. The static export has none of them. */
  aliases?: readonly string[];
  /** Query parameters that change the response. Others are ignored, so that they cannot fill the cache with copies. */
  query?: readonly string[];
  /** Whether the response contains texts of notices as HTML. They are rendered before the rest of it. */
  hasTexts?: true;
  /** Whether an uploaded theme can replace the response. */
  isThemed?: true;
  /** Whether the body is an SVG that is sent as PNG. */
  isRasterized?: true;
  /** The notices that the route shows and the view lacks; null when it lacks none, or the route is not found. */
  requiredNotices?(parameters: RouteParameters, view: PageView): RequiredNotices | null;
  /** The image whose bytes the response contains; null: none. */
  requiredImage?(parameters: RouteParameters, view: PageView): RequiredImage | null;
  /** All paths of a route with `:name` segments, such as `notices/abc-slow-payments`, for the static export. */
  listPaths?(view: PageView, theme: RenderedTheme | null): string[];
  /** `theme`: what the page's theme rendered; null: no theme. `image`: the required one; null: it cannot be loaded. */
  render(view: PageView, parameters: RouteParameters, theme?: RenderedTheme | null, image?: Buffer | null): Rendering;
}

/** Whether the theme of a page renders the response, if it has one. Embedded sections are always the standard ones. */
export const mayBeThemed = ({ isThemed }: PublicRoute, { query }: RouteParameters): boolean =>
  isThemed === true && query.embed === undefined;
