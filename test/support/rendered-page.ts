import type { RouteParameters, RenderedResponse, PublicRoute } from '../../src/status-page/server/public-route.js';
import { frontPage } from '../../src/status-page/html/front-page.js';
import type { PageView } from '../../src/status-page/view/view.js';

/** Renders a route that must exist and render synchronously. */
export function renderResponse(
  view: PageView,
  route: PublicRoute = frontPage,
  { path = {}, query = {} }: Partial<RouteParameters> = {},
): RenderedResponse {
  const response = route.render(view, { path, query });
  if (!response || response instanceof Promise) throw new Error(`no response of ${route.path}`);
  return response;
}

export const renderDocument = (view: PageView, route?: PublicRoute, parameters?: Partial<RouteParameters>): string =>
  String(renderResponse(view, route, parameters).body);

/** The text of an HTML document, without styles, scripts and tags, and with character references decoded. */
export function visibleText(html: string): string {
  return html
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: keyof typeof characterReferences) => characterReferences[name])
    .replace(/\s+/g, ' ')
    .trim();
}

const characterReferences = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
